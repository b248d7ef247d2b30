import { useState } from 'react'
import { useForm } from 'react-hook-form'

import {
  alertReceiverList,
  alertReceiverView,
  webhookSecretsAdd,
  webhookSecretsList,
} from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import * as text from '~/messages/alert-screens'
import { generateSecret } from '~/resource/alert-receiver-form'
import { IssuedSecret } from '~/resource/issued-secret'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'

interface AddSecretProps {
  /** Name of the receiver. */
  receiver: string
  onDismiss: () => void
}

/** Adds a secret to a receiver. The secret is shown once. */
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
  const input = (body: { secret: string }) => ({ query: { receiver }, body })
  return (
    <ModalForm
      needs={webhookSecretsAdd}
      form={form}
      title={text.addSecretTitle}
      submitLabel={text.addSecretLabel}
      onSubmit={(values) => add.mutate(input(values))}
      calls={(values) => [{ operation: webhookSecretsAdd, input: input(values) }]}
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={add.error}
    >
      <TextField
        name="secret"
        control={form.control}
        required
        isCode
        isSecret
        help={text.secretHelp}
      />
    </ModalForm>
  )
}
