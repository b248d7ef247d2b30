import { useForm, useWatch } from 'react-hook-form'

import {
  alertReceiverList,
  alertReceiverSubscriptionAdd,
  alertReceiverView,
} from '~/api/generated/operations'
import { invalidate, useApiMutation } from '~/api/query'
import { validatePattern } from '~/lib/alert-pattern'
import * as text from '~/messages/alert-screens'
import { AlertClassHelp, useAlertClasses } from '~/resource/alert-subscription-field'
import { ModalForm } from '~/ui/form/modal-form'
import { TextField } from '~/ui/form/text-field'
import { toast } from '~/ui/toast'

interface AddSubscriptionProps {
  /** Name of the receiver. */
  receiver: string
  onDismiss: () => void
}

/** Asks for a class or a pattern and shows which classes match. */
export function AddSubscription({ receiver, onDismiss }: AddSubscriptionProps) {
  const form = useForm({ defaultValues: { subscription: '' } })
  const pattern = useWatch({ control: form.control, name: 'subscription' })
  const classes = useAlertClasses().map(({ name }) => name)
  const add = useApiMutation(alertReceiverSubscriptionAdd, {
    onSuccess: async ({ subscription }) => {
      await invalidate(alertReceiverView, alertReceiverList)
      onDismiss()
      toast({
        content: text.subscriptionAddedToast(subscription),
      })
    },
  })
  const input = (body: { subscription: string }) => ({ path: { receiver }, body })
  return (
    <ModalForm
      needs={alertReceiverSubscriptionAdd}
      form={form}
      title={text.addSubscriptionTitle}
      submitLabel={text.addLabel}
      onSubmit={(values) => add.mutate(input(values))}
      calls={(values) => [{ operation: alertReceiverSubscriptionAdd, input: input(values) }]}
      onDismiss={onDismiss}
      loading={add.isPending}
      submitError={add.error}
    >
      <TextField
        name="subscription"
        control={form.control}
        label={text.classOrPatternLabel}
        isCode
        validate={(typed) => validatePattern(typed, classes)}
      />
      <AlertClassHelp pattern={pattern} />
    </ModalForm>
  )
}
