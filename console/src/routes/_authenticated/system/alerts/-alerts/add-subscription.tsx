import { useForm, useWatch } from 'react-hook-form'

import {
  alertReceiverList,
  alertReceiverSubscriptionAdd,
  alertReceiverView,
} from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { validatePattern } from '~/lib/alert-pattern'
import { AlertClassHelp, useAlertClasses } from '~/resource/alert-subscription-field'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'
import { toast } from '~/ui/toast'

interface AddSubscriptionProps {
  /** Name of the receiver. */
  receiver: string
  onDismiss: () => void
}

/** Asks for a class or a pattern, and shows what it would cover. */
export function AddSubscription({ receiver, onDismiss }: AddSubscriptionProps) {
  const form = useForm({ defaultValues: { subscription: '' } })
  const pattern = useWatch({ control: form.control, name: 'subscription' })
  const classes = useAlertClasses().map(({ name }) => name)
  const add = useApiMutation(alertReceiverSubscriptionAdd, {
    onSuccess: async ({ subscription }) => {
      await invalidate(alertReceiverView, alertReceiverList)
      onDismiss()
      toast({
        content: (
          <>
            Subscription <b>{subscription}</b> added
          </>
        ),
      })
    },
  })
  return (
    <ModalForm
      needs={alertReceiverSubscriptionAdd}
      form={form}
      title="Add subscription"
      submitLabel="Add"
      onSubmit={(body) => add.mutate({ path: { receiver }, body })}
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={add.error}
    >
      <TextField
        name="subscription"
        control={form.control}
        label="Class or pattern"
        isCode
        validate={(text) => validatePattern(text, classes)}
      />
      <AlertClassHelp pattern={pattern} />
    </ModalForm>
  )
}
