import { useForm } from 'react-hook-form'

import type { ApiError } from '~/api/errors'
import { ipPoolSiloLink } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import * as text from '~/messages/ip-pool-link'
import { refreshLinks } from '~/resource/silo-ip-pools'
import { toastFailure } from '~/ui/failure-toast'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'

/** The part of a list query that the dialog uses. */
interface ListQuery<Item> {
  data: { items: Item[] } | undefined
  error: ApiError | null
  isPending: boolean
}

interface PoolLinkDialogProps<Linked> {
  /** What is linked: a pool to a silo, or a silo to a pool. */
  links: 'pool' | 'silo'
  /** Label of the field. */
  label: string
  all: ListQuery<{ id: string; name: string; description: string }>
  /** What is linked already. */
  linked: ListQuery<Linked>
  /** The id of a linked item, as used in `all`. */
  idOf: (linked: Linked) => string
  /** The names of the pool and the silo to link for the selected name. */
  linkTo: (chosen: string) => { pool: string; silo: string }
  onDismiss: () => void
}

/** Asks for a pool or silo to link, out of those that are not linked yet. */
export function PoolLinkDialog<Linked>(props: PoolLinkDialogProps<Linked>) {
  const { links, label, all, linked, idOf, linkTo, onDismiss } = props
  const form = useForm({ defaultValues: { chosen: '' } })
  const isPending = all.isPending || linked.isPending
  const linkedIds = new Set(linked.data?.items.map(idOf))
  const choices = isPending ? [] : (all.data?.items.filter(({ id }) => !linkedIds.has(id)) ?? [])

  const link = useApiMutation(ipPoolSiloLink, {
    onSuccess: refreshLinks,
    onError: (failure) => void toastFailure(failure, text.linkErrorTitle[links]),
    onSettled: onDismiss,
  })
  const input = ({ chosen }: { chosen: string }) => {
    const { pool, silo } = linkTo(chosen)
    return { path: { pool }, body: { silo, isDefault: false } }
  }
  return (
    <ModalForm
      needs={ipPoolSiloLink}
      form={form}
      title={text.linkTitle[links]}
      submitLabel={text.linkLabel}
      onSubmit={(values) => link.mutate(input(values))}
      calls={(values) => [{ operation: ipPoolSiloLink, input: input(values) }]}
      onDismiss={onDismiss}
      loading={link.isPending}
      submitError={all.error ?? linked.error}
    >
      <Message tone="info">{text.linkHelp}</Message>
      <ComboboxField
        name="chosen"
        control={form.control}
        label={label}
        required
        placeholder={text.linkPlaceholder[links]}
        noOptions={text.nothingToLinkText[links]}
        disabled={isPending}
        isLoading={isPending}
        options={choices.map(({ name, description }) => ({
          value: name,
          label: name,
          detail: description || undefined,
        }))}
      />
    </ModalForm>
  )
}
