import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import { ipPoolSiloLink, ipPoolSiloList, siloList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q, useApiMutation } from '~/api/query'
import { refreshLinks } from '~/resource/silo-ip-pools'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

interface LinkSiloProps {
  /** Name of the pool. */
  pool: string
  onDismiss: () => void
}

/** Asks which of the silos that are not linked yet may use the pool, and links it. */
export function LinkSilo({ pool, onDismiss }: LinkSiloProps) {
  const form = useForm({ defaultValues: { silo: '' } })
  const all = useQuery(q(siloList, { query: { limit: allItems } }))
  const linked = useQuery(q(ipPoolSiloList, { path: { pool }, query: { limit: allItems } }))
  const isPending = all.isPending || linked.isPending
  const linkedIds = new Set(linked.data?.items.map(({ siloId }) => siloId))
  const silos = isPending ? [] : (all.data?.items.filter(({ id }) => !linkedIds.has(id)) ?? [])

  const link = useApiMutation(ipPoolSiloLink, {
    onSuccess: refreshLinks,
    onError: ({ message }) =>
      toast({ variant: 'error', title: 'Could not link silo', content: message }),
    onSettled: onDismiss,
  })
  return (
    <ModalForm
      form={form}
      title="Link silo"
      submitLabel="Link"
      onSubmit={({ silo }) => link.mutate({ path: { pool }, body: { silo, isDefault: false } })}
      onDismiss={onDismiss}
      loading={link.isPending}
      submitError={all.error ?? linked.error}
    >
      <Message tone="info">
        Users in the silo will be able to allocate addresses from the pool.
      </Message>
      <ComboboxField
        name="silo"
        control={form.control}
        label="Silo"
        required
        placeholder="Select a silo"
        noOptions="No silos left to link"
        disabled={isPending}
        isLoading={isPending}
        options={silos.map(({ name, description }) => ({
          value: name,
          label: name,
          detail: description || undefined,
        }))}
      />
    </ModalForm>
  )
}
