import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { imageList, imagePromote } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q, useApiMutation } from '~/api/query'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/image'
import { toastFailure } from '~/ui/failure-toast'
import { ListboxField } from '~/ui/form/listbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

import { refreshImages } from './image-actions'
import { ImageProjectField } from './image-project-field'

/** Promotes an image of a project to the silo. */
export function ImagePromoteDialog({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm({ defaultValues: { project: '', image: '' } })
  const project = useWatch({ control: form.control, name: 'project' })
  const { resetField } = form
  useEffect(() => resetField('image'), [project, resetField])
  const { data, isFetching } = useQuery(
    q(
      imageList,
      { query: { project, limit: allItems } },
      // The project may be deleted in the meantime. The list is empty then.
      { enabled: project !== '', allowNotFound: true },
    ),
  )

  const promote = useApiMutation(imagePromote, {
    onSuccess: async ({ name }) => {
      await refreshImages()
      onDismiss()
      toast({ content: text.promotedToast(name) })
    },
    onError: (failure) => {
      onDismiss()
      void toastFailure(failure)
    },
  })

  const input = ({ image }: { image: string }) => ({ path: { image } })
  return (
    <ModalForm
      needs={imagePromote}
      form={form}
      title={text.promoteTitle}
      submitLabel={text.promoteLabel}
      onSubmit={(values) => promote.mutate(input(values))}
      calls={(values) => [{ operation: imagePromote, input: input(values) }]}
      onDismiss={onDismiss}
      loading={promote.isPending}
      submitError={null}
    >
      <Message tone="info">{text.promoteHelp}</Message>
      <ImageProjectField control={form.control} placeholder={text.projectPlaceholder} />
      <ListboxField
        name="image"
        control={form.control}
        label={text.imageLabel}
        required
        disabled={project === ''}
        placeholder={text.imagePlaceholder}
        noOptions={project === '' ? text.noProjectSelectedText : text.noImagesText}
        isLoading={isFetching && !data}
        options={(data?.items ?? []).map(({ id, name, os, version, size }) => ({
          value: id,
          label: name,
          detail: [os, version, formatBytes(size)].filter(Boolean).join(' / '),
        }))}
      />
    </ModalForm>
  )
}
