import { KeyRound, Lock, ShieldOff, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import {
  localIdpUserDelete,
  localIdpUserResetSecondFactor,
  localIdpUserSetPassword,
  siloUserList,
} from '~/api/generated/operations'
import type { User } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirm, confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

/** What the actions on a silo's users have in common. */
interface LocalUserContext {
  /** Name of the silo. */
  silo: string
  /** Id of the person at the screen, who must not be locked out by accident. */
  ownId: string
  openSetPassword: (user: User) => void
}

/** What an operator can do with a user of a local-only silo. */
export function localUserActions(user: User, context: LocalUserContext): Action[] {
  const { silo, ownId, openSetPassword } = context
  const isOwn = user.id === ownId
  return [
    {
      id: 'set-password',
      label: 'Set password',
      icon: KeyRound,
      needs: localIdpUserSetPassword,
      perform: () => openSetPassword(user),
    },
    {
      id: 'disable-password',
      label: 'Disable password',
      icon: Lock,
      destructive: true,
      disabledReason: isOwn
        ? 'This is your own account. Without a password you could not sign in again'
        : undefined,
      needs: localIdpUserSetPassword,
      perform: () => disablePassword(user, silo),
    },
    {
      id: 'reset-second-factor',
      label: 'Reset second factor',
      icon: ShieldOff,
      destructive: true,
      disabledReason: isOwn
        ? 'This is your own account. Change your second factors in your settings'
        : undefined,
      needs: localIdpUserResetSecondFactor,
      perform: () => resetSecondFactor(user, silo),
    },
    {
      id: 'delete',
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: isOwn
        ? 'This is your own account. Another administrator can delete it'
        : undefined,
      needs: localIdpUserDelete,
      perform: () => deleteUser(user, silo),
    },
  ]
}

function disablePassword({ id, displayName }: User, silo: string): void {
  confirm({
    title: 'Confirm disable password',
    body: (
      <>
        <p>
          Are you sure you want to disable the password of <b>{displayName}</b>?
        </p>
        <p>
          The user is signed out and cannot sign in until a new password is set. Nothing else
          changes.
        </p>
      </>
    ),
    tone: 'danger',
    confirmLabel: 'Disable',
    action: async () => {
      await call(localIdpUserSetPassword, {
        path: { userId: id },
        query: { silo },
        body: { mode: 'login_disallowed' },
      })
      toast({
        content: (
          <>
            Password of <b>{displayName}</b> disabled
          </>
        ),
      })
    },
    errorTitle: 'Could not disable password',
  })
}

function resetSecondFactor({ id, displayName }: User, silo: string): void {
  confirm({
    title: 'Confirm reset second factor',
    body: (
      <>
        <p>
          Are you sure you want to remove every second factor and recovery code of{' '}
          <b>{displayName}</b>?
        </p>
        <p>
          The user is signed out, and the user’s access tokens are revoked. The user can then sign
          in with the password alone, or sets up a new second factor if the silo requires one.
          Verify that the request really comes from this person.
        </p>
      </>
    ),
    tone: 'danger',
    confirmLabel: 'Reset',
    action: async () => {
      await call(localIdpUserResetSecondFactor, { path: { userId: id }, query: { silo } })
      toast({
        content: (
          <>
            Second factor of <b>{displayName}</b> reset
          </>
        ),
      })
    },
    errorTitle: 'Could not reset the second factor',
  })
}

function deleteUser({ id, displayName }: User, silo: string): void {
  confirmDelete({
    kind: 'user',
    label: displayName,
    extra:
      'The user’s password, sessions, access tokens, SSH keys and group memberships are deleted too. Projects and their resources are kept. A new user with the same name does not get the old roles.',
    action: async () => {
      await call(localIdpUserDelete, { path: { userId: id }, query: { silo } })
      await invalidate(siloUserList)
      toast({
        content: (
          <>
            User <b>{displayName}</b> deleted
          </>
        ),
      })
    },
  })
}
