import { useState } from 'react'
import { useForm } from 'react-hook-form'

import { localIdpUserSetPassword } from '~/api/generated/operations'
import type { User } from '~/api/generated/types.gen'
import { useApiMutation } from '~/api/query'
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

/** Gives a user another password. */
export function SetPassword({ silo, user, onDismiss }: SetPasswordProps) {
  const { displayName } = user
  const form = useForm<PasswordChoice>({ defaultValues: { source: 'generated', password: '' } })
  const [issued, setIssued] = useState<string>()
  const set = useApiMutation(localIdpUserSetPassword)
  const submit = (choice: PasswordChoice) => {
    const { password, generated } = choosePassword(choice)
    set.mutate(
      { path: { userId: user.id }, query: { silo }, body: password },
      {
        onSuccess: () => {
          toast({
            content: (
              <>
                Password of <b>{displayName}</b> set
              </>
            ),
          })
          if (generated) setIssued(generated)
          else onDismiss()
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
      form={form}
      title="Set password"
      submitLabel="Set password"
      onSubmit={submit}
      onDismiss={onDismiss}
      loading={set.isPending}
      submitError={set.error}
    >
      <Message tone="info">
        The old password of <b>{displayName}</b> stops working, and whoever is signed in with it is
        signed out.
      </Message>
      <PasswordFields control={form.control} source="source" password="password" />
    </ModalForm>
  )
}
