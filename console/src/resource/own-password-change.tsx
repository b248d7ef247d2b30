import { useForm } from 'react-hook-form'

import { withoutLabel } from '~/api/errors'
import { accountPasswordChange } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import { newPasswordProblem } from '~/lib/new-password'
import * as text from '~/messages/own-password'
import { ModalForm } from '~/ui/form/modal-form'
import { PasswordField } from '~/ui/form/password-field'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

interface ChangeValues {
  current: string
  password: string
  repeated: string
}

/** Changes the person's own password. Requires the current one. */
export function ChangeOwnPassword({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm<ChangeValues>({
    defaultValues: { current: '', password: '', repeated: '' },
  })
  const change = useApiMutation(accountPasswordChange)
  const submit = ({ current, password }: ChangeValues) =>
    change.mutate(
      { body: { currentPassword: current, newPassword: password } },
      {
        onSuccess: () => {
          toast({ content: text.changedToast })
          onDismiss()
        },
      },
    )
  return (
    <ModalForm
      form={form}
      title={text.changeTitle}
      submitLabel={text.changeLabel}
      needs={null}
      calls={null}
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={change.isPending}
      submitError={change.error && { message: withoutLabel(change.error.message) }}
    >
      <Message tone="info">{text.changeHelp}</Message>
      <PasswordField
        name="current"
        control={form.control}
        label={text.currentPasswordLabel}
        autoComplete="current-password"
        required
      />
      <PasswordField
        name="password"
        control={form.control}
        label={text.newPasswordLabel}
        autoComplete="new-password"
        required
        validate={newPasswordProblem}
      />
      <PasswordField
        name="repeated"
        control={form.control}
        label={text.repeatPasswordLabel}
        autoComplete="new-password"
        required
        validate={(repeated) =>
          repeated === form.getValues('password') ? undefined : text.mismatchError
        }
      />
    </ModalForm>
  )
}
