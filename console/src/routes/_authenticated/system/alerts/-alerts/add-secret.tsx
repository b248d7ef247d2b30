import { useState } from 'react'
import { useForm } from 'react-hook-form'

import {
  alertReceiverList,
  alertReceiverView,
  webhookSecretsAdd,
  webhookSecretsList,
} from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { generateSecret } from '~/resource/alert-receiver-form'
import { IssuedSecret } from '~/resource/issued-secret'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'

interface AddSecretProps {
  /** Name of the receiver. */
  receiver: string
  onDismiss: () => void
}

/** Gives a receiver another secret, which is shown once. */
export function AddSecret({ receiver, onDismiss }: AddSecretProps) {
  const form = useForm({ defaultValues: { secret: generateSecret() } })
  const [added, setAdded] = useState<string>()
  const add = useApiMutation(webhookSecretsAdd, {
    onSuccess: async () => {
      await invalidate(webhookSecretsList, alertReceiverView, alertReceiverList)
      setAdded(form.getValues('secret'))
    },
  })
  if (added) return <IssuedSecret receiver={receiver} secret={added} onDismiss={onDismiss} />
  return (
    <ModalForm
      needs={webhookSecretsAdd}
      form={form}
      title="Add secret"
      submitLabel="Add secret"
      onSubmit={(body) => add.mutate({ query: { receiver }, body })}
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={add.error}
    >
      <TextField
        name="secret"
        control={form.control}
        required
        isCode
        help="Generated at random. You can replace it with a secret that the endpoint already uses."
      />
    </ModalForm>
  )
}
