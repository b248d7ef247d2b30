import { useForm } from 'react-hook-form'

import { withoutLabel } from '~/api/errors'
import { accountPasswordChange } from '~/api/generated/operations'
import { useApiMutation } from '~/api/query'
import { newPasswordProblem } from '~/lib/new-password'
import { ModalForm } from '~/ui/form/modal-form'
import { PasswordField } from '~/ui/form/password-field'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

interface ChangeValues {
  current: string
  password: string
  repeated: string
}

/** Gives the person another password, who shows the present one. */
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
          toast({ content: 'Password changed' })
          onDismiss()
        },
      },
    )
  return (
    <ModalForm
      form={form}
      title="Change password"
      submitLabel="Change password"
      needs={null}
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={change.isPending}
      submitError={change.error && { message: withoutLabel(change.error.message) }}
    >
      <Message tone="info">
        All your other sessions end and all your access tokens are revoked. Programs that use a
        token need a new one.
      </Message>
      <PasswordField
        name="current"
        control={form.control}
        label="Current password"
        autoComplete="current-password"
        required
      />
      <PasswordField
        name="password"
        control={form.control}
        label="New password"
        autoComplete="new-password"
        required
        validate={newPasswordProblem}
      />
      <PasswordField
        name="repeated"
        control={form.control}
        label="Repeat the new password"
        autoComplete="new-password"
        required
        validate={(repeated) =>
          repeated === form.getValues('password') ? undefined : 'The passwords do not match'
        }
      />
    </ModalForm>
  )
}
