import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'

import type { Image } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/image'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

import { newDiskPath, newInstancePath } from './disk-source-search'
import type { ImageUse } from './image-actions'
import { ImageProjectField } from './image-project-field'

interface ImageUseDialogProps {
  image: Pick<Image, 'id'>
  /** What is created from the image. */
  use: ImageUse
  onDismiss: () => void
}

/** Asks in which project something is created from an image of the silo, and opens the form for it. */
export function ImageUseDialog({ image, use, onDismiss }: ImageUseDialogProps) {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: { project: '' } })
  return (
    <ModalForm
      needs={null}
      calls={null}
      form={form}
      title={text.createFromTitle[use]}
      submitLabel={common.continueLabel}
      onSubmit={({ project }) =>
        void navigate({
          href:
            use === 'disk'
              ? newDiskPath(project, { image: image.id })
              : newInstancePath(project, image.id),
        })
      }
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
    >
      <Message tone="info">{text.createFromHelp[use]}</Message>
      <ImageProjectField control={form.control} placeholder={text.projectPlaceholder} />
    </ModalForm>
  )
}
