import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'

import { imageList, imagePromote } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q, useApiMutation } from '~/api/query'
import { formatBytes } from '~/lib/units'
import { ListboxField } from '~/ui/form/listbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

import { imageToast, refreshImages } from './image-actions'
import { ImageProjectField } from './image-project-field'

/** Makes an image of a project an image of the whole silo. */
export function ImagePromoteDialog({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm({ defaultValues: { project: '', image: '' } })
  const project = useWatch({ control: form.control, name: 'project' })
  const { resetField } = form
  useEffect(() => resetField('image'), [project, resetField])
  const { data, isFetching } = useQuery(
    q(
      imageList,
      { query: { project, limit: allItems } },
      // Somebody may delete the project meanwhile; the dialog then offers nothing from it.
      { enabled: project !== '', allowNotFound: true },
    ),
  )

  const promote = useApiMutation(imagePromote, {
    onSuccess: async ({ name }) => {
      await refreshImages()
      onDismiss()
      imageToast(name, 'promoted')
    },
    onError: ({ message }) => {
      onDismiss()
      toast({ variant: 'error', content: message })
    },
  })

  return (
    <ModalForm
      needs={imagePromote}
      form={form}
      title="Promote image"
      submitLabel="Promote"
      onSubmit={({ image }) => promote.mutate({ path: { image } })}
      onDismiss={onDismiss}
      loading={promote.isPending}
      submitError={null}
    >
      <Message tone="info">
        Once an image has been promoted it is visible to all projects of the silo.
      </Message>
      <ImageProjectField control={form.control} placeholder="Select a project" />
      <ListboxField
        name="image"
        control={form.control}
        label="Image"
        required
        disabled={project === ''}
        placeholder="Select an image"
        noOptions={project === '' ? 'Select a project first' : 'No items'}
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
