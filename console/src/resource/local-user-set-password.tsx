import { useState } from 'react'
import { useForm } from 'react-hook-form'

import {
  localIdpUserRequirePasswordChange,
  localIdpUserSetPassword,
} from '~/api/generated/operations'
import type { User } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
import { useSession } from '~/app/session'
import * as text from '~/messages/local-user'
import { CheckboxField } from '~/ui/form/checkbox-field'
import { ModalForm } from '~/ui/form/modal-form'
import { Message } from '~/ui/message'
import { toast } from '~/ui/toast'

import { IssuedPassword } from './local-user-issued-password'
import { choosePassword } from './local-user-password'
import type { PasswordChoice } from './local-user-password'
import { PasswordFields } from './local-user-password-fields'

interface SetPasswordProps {
  /** Name of the silo. */
  silo: string
  user: User
  onDismiss: () => void
}

interface SetPasswordValues extends PasswordChoice {
  /** Whether the user has to replace it at the next sign-in. */
  isFirst: boolean
}

/** Sets the password of a user. */
export function SetPassword({ silo, user, onDismiss }: SetPasswordProps) {
  const { displayName } = user
  const isOwn = useSession().me.id === user.id
  const form = useForm<SetPasswordValues>({
    defaultValues: { source: 'generated', password: '', isFirst: !isOwn },
  })
  const [issued, setIssued] = useState<string>()
  const set = useApiMutation(localIdpUserSetPassword)
  const requireChange = useApiMutation(localIdpUserRequirePasswordChange)
  const target = { path: { userId: user.id }, query: { silo } }
  const calls = ({ isFirst, ...choice }: SetPasswordValues) => [
    {
      operation: localIdpUserSetPassword,
      input: { ...target, body: choosePassword(choice).password },
    },
    ...(isFirst ? [{ operation: localIdpUserRequirePasswordChange, input: target }] : []),
  ]
  const submit = ({ isFirst, ...choice }: SetPasswordValues) => {
    const { password, generated } = choosePassword(choice)
    const done = () => {
      toast({
        content: text.passwordSetToast(displayName),
      })
      if (generated) setIssued(generated)
      else onDismiss()
    }
    set.mutate(
      { ...target, body: password },
      {
        onSuccess: () => {
          if (isFirst) requireChange.mutate(target, { onSuccess: done })
          else done()
        },
      },
    )
  }
  if (issued) {
    return <IssuedPassword user={displayName} password={issued} onDismiss={onDismiss} />
  }
  return (
    <ModalForm
      needs={localIdpUserSetPassword}
      draftOf={user.id}
      form={form}
      title={text.setPasswordTitle}
      submitLabel={text.setPasswordLabel}
      onSubmit={submit}
      calls={calls}
      onDismiss={onDismiss}
      loading={set.isPending || requireChange.isPending}
      submitError={set.error ?? requireChange.error}
    >
      <Message tone="info">{text.setPasswordHelp(displayName)}</Message>
      <PasswordFields control={form.control} source="source" password="password" />
      {!isOwn && (
        <CheckboxField name="isFirst" control={form.control}>
          {text.mustChangePasswordText(displayName)}
        </CheckboxField>
      )}
    </ModalForm>
  )
}
