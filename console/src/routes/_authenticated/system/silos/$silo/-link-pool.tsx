import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'

import { ipPoolList, ipPoolSiloLink } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q, useApiMutation } from '~/api/query'
import { refreshLinks, siloIpPools } from '~/resource/silo-ip-pools'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

interface LinkPoolProps {
  /** Name of the silo. */
  silo: string
  onDismiss: () => void
}

/** Asks which of the pools that are not linked yet the silo may use, and links it. */
export function LinkPool({ silo, onDismiss }: LinkPoolProps) {
  const form = useForm({ defaultValues: { pool: '' } })
  const all = useQuery(q(ipPoolList, { query: { limit: allItems } }))
  const linked = useQuery(siloIpPools(silo))
  const isPending = all.isPending || linked.isPending
  const linkedIds = new Set(linked.data?.items.map(({ id }) => id))
  const pools = isPending ? [] : (all.data?.items.filter(({ id }) => !linkedIds.has(id)) ?? [])

  const link = useApiMutation(ipPoolSiloLink, {
    onSuccess: refreshLinks,
    onError: ({ message }) =>
      toast({ variant: 'error', title: 'Could not link pool', content: message }),
    onSettled: onDismiss,
  })
  return (
    <ModalForm
      form={form}
      title="Link pool"
      submitLabel="Link"
      onSubmit={({ pool }) => link.mutate({ path: { pool }, body: { silo, isDefault: false } })}
      onDismiss={onDismiss}
      loading={link.isPending}
      submitError={all.error ?? linked.error}
    >
      <Message tone="info">
        Users in the silo will be able to allocate addresses from the pool.
      </Message>
      <ComboboxField
        name="pool"
        control={form.control}
        label="IP pool"
        required
        placeholder="Select a pool"
        noOptions="No pools left to link"
        disabled={isPending}
        isLoading={isPending}
        options={pools.map(({ name, description }) => ({
          value: name,
          label: name,
          detail: description || undefined,
        }))}
      />
    </ModalForm>
  )
}
