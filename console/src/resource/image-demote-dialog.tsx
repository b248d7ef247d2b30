import { useForm } from 'react-hook-form'

import { imageDemote } from '~/api/generated/operations'
import type { Image } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

import { imageToast, refreshImages } from './image-actions'
import { ImageProjectField } from './image-project-field'

interface ImageDemoteDialogProps {
  image: Pick<Image, 'id' | 'name'>
  onDismiss: () => void
}

/** Makes an image of the silo an image of one project only. */
export function ImageDemoteDialog({ image, onDismiss }: ImageDemoteDialogProps) {
  const form = useForm({ defaultValues: { project: '' } })
  const demote = useApiMutation(imageDemote, {
    onSuccess: async ({ name }, { query: { project } }) => {
      await refreshImages()
      onDismiss()
      imageToast(name, 'demoted', {
        label: `View images in ${project}`,
        href: `/projects/${project}/images`,
      })
    },
    onError: ({ message }) => {
      onDismiss()
      toast({ variant: 'error', content: message })
    },
  })

  return (
    <ModalForm
      needs={imageDemote}
      form={form}
      title="Demote image"
      submitLabel="Demote"
      onSubmit={({ project }) => demote.mutate({ path: { image: image.id }, query: { project } })}
      onDismiss={onDismiss}
      loading={demote.isPending}
      submitError={null}
    >
      <p>
        Demoting: <b className="font-medium text-fg">{image.name}</b>
      </p>
      <Message tone="info">
        Once an image has been demoted it is visible only in the project it goes to. Disks created
        from it are not affected.
      </Message>
      <ImageProjectField control={form.control} placeholder="Select project for image" />
    </ModalForm>
  )
}
