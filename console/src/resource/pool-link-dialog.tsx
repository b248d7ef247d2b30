import { useForm } from 'react-hook-form'

import type { ApiError } from '~/api/errors'
import { ipPoolSiloLink } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import * as text from '~/messages/ip-pool-link'
import { refreshLinks } from '~/resource/silo-ip-pools'
import { ComboboxField } from '~/ui/form/combobox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

/** A query for a list, as far as choosing from it goes. */
interface ListQuery<Item> {
  data: { items: Item[] } | undefined
  error: ApiError | null
  isPending: boolean
}

interface PoolLinkDialogProps<Linked> {
  /** What is chosen here. */
  noun: 'pool' | 'silo'
  /** Name of the field. */
  label: string
  all: ListQuery<{ id: string; name: string; description: string }>
  /** What is linked already. */
  linked: ListQuery<Linked>
  /** The id by which `all` has it. */
  idOf: (linked: Linked) => string
  /** The pool and the silo to link when this one is chosen, by name. */
  linkTo: (chosen: string) => { pool: string; silo: string }
  onDismiss: () => void
}

/** Asks which of the pools or silos that are not linked yet to link, from either end of the link. */
export function PoolLinkDialog<Linked>(props: PoolLinkDialogProps<Linked>) {
  const { noun, label, all, linked, idOf, linkTo, onDismiss } = props
  const form = useForm({ defaultValues: { chosen: '' } })
  const isPending = all.isPending || linked.isPending
  const linkedIds = new Set(linked.data?.items.map(idOf))
  const choices = isPending ? [] : (all.data?.items.filter(({ id }) => !linkedIds.has(id)) ?? [])

  const link = useApiMutation(ipPoolSiloLink, {
    onSuccess: refreshLinks,
    onError: ({ message }) =>
      toast({ variant: 'error', title: text.linkErrorTitle[noun], content: message }),
    onSettled: onDismiss,
  })
  const submit = (chosen: string) => {
    const { pool, silo } = linkTo(chosen)
    link.mutate({ path: { pool }, body: { silo, isDefault: false } })
  }
  return (
    <ModalForm
      needs={ipPoolSiloLink}
      form={form}
      title={text.linkTitle[noun]}
      submitLabel={text.linkLabel}
      onSubmit={({ chosen }) => submit(chosen)}
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
        placeholder={text.linkPlaceholder[noun]}
        noOptions={text.nothingToLinkText[noun]}
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
