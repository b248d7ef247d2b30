import { useForm } from 'react-hook-form'

import { imageDemote } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import * as text from '~/messages/image'
import { toastFailure } from '~/ui/failure-toast'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

import { refreshImages } from './image-actions'
import { ImageProjectField } from './image-project-field'

interface ImageDemoteDialogProps {
  image: Pick<Image, 'id' | 'name'>
  /** Leaves the page of the image, which is gone from the silo then. */
  leave?: () => Promise<unknown>
  onDismiss: () => void
}

/** Demotes an image of the silo to a project. */
export function ImageDemoteDialog({ image, leave, onDismiss }: ImageDemoteDialogProps) {
  const form = useForm({ defaultValues: { project: '' } })
  const demote = useApiMutation(imageDemote, {
    onSuccess: async ({ name }, { query: { project } }) => {
      await leave?.()
      await refreshImages()
      onDismiss()
      toast({
        content: text.demotedToast(name),
        link: { label: text.viewProjectImagesLabel(project), href: `/projects/${project}/images` },
      })
    },
    onError: (failure) => {
      onDismiss()
      void toastFailure(failure)
    },
  })

  const input = ({ project }: { project: string }) => ({
    path: { image: image.id },
    query: { project },
  })
  return (
    <ModalForm
      needs={imageDemote}
      draftOf={image.id}
      form={form}
      title={text.demoteTitle}
      submitLabel={text.demoteLabel}
      onSubmit={(values) => demote.mutate(input(values))}
      calls={(values) => [{ operation: imageDemote, input: input(values) }]}
      onDismiss={onDismiss}
      loading={demote.isPending}
      submitError={null}
    >
      <p>{text.demotingText(<b className="font-medium text-fg">{image.name}</b>)}</p>
      <Message tone="info">{text.demoteHelp}</Message>
      <ImageProjectField control={form.control} placeholder={text.demoteProjectPlaceholder} />
    </ModalForm>
  )
}
