import { KeyRound, Lock, ShieldOff, Trash2 } from 'lucide-react'

import {
  localIdpUserDelete,
  localIdpUserResetSecondFactor,
  localIdpUserSetPassword,
  siloUserList,
} from '~/api/generated/operations'
import type { CurrentUser, User } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/local-user'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { viewAsEntry } from './view-as-action'

/** The context of the actions on a silo's users. */
interface LocalUserContext {
  /** Name of the silo. */
  silo: string
  /** The signed-in person, who must not be locked out by accident. */
  me: CurrentUser
  openSetPassword: (user: User) => void
}

/** The actions on a user of a local-only silo. */
export function localUserActions(user: User, context: LocalUserContext): Action[] {
  const { silo, me, openSetPassword } = context
  const isOwn = user.id === me.id
  const { ask, ...viewAs } = viewAsEntry({ id: user.id, name: user.displayName, silo }, me)
  return [
    {
      id: 'set-password',
      label: text.setPasswordLabel,
      icon: KeyRound,
      needs: localIdpUserSetPassword,
      perform: () => openSetPassword(user),
    },
    {
      id: 'disable-password',
      label: text.disablePasswordLabel,
      icon: Lock,
      destructive: true,
      disabledReason: isOwn ? text.disableOwnPasswordError : undefined,
      needs: localIdpUserSetPassword,
      perform: () => disablePassword(user, silo),
    },
    {
      id: 'reset-second-factor',
      label: text.resetSecondFactorLabel,
      icon: ShieldOff,
      destructive: true,
      disabledReason: isOwn ? text.resetOwnSecondFactorError : undefined,
      needs: localIdpUserResetSecondFactor,
      perform: () => resetSecondFactor(user, silo),
    },
    activityAction({ kind: 'silo_user', id: user.id, name: user.displayName }),
    { ...viewAs, perform: ask },
    codeAction(user.id, { kind: 'local-user', silo, id: user.id }),
    {
      id: 'delete',
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: isOwn ? text.deleteOwnUserError : undefined,
      needs: localIdpUserDelete,
      perform: () => deleteUser(user, silo),
    },
  ]
}

function disablePassword({ id, displayName }: User, silo: string): void {
  const disable = planned(localIdpUserSetPassword, {
    path: { userId: id },
    query: { silo },
    body: { mode: 'login_disallowed' },
  })
  confirm({
    title: text.disablePasswordTitle,
    body: (
      <>
        <p>{text.disablePasswordQuestion(displayName)}</p>
        <p>{text.disablePasswordHelp}</p>
      </>
    ),
    tone: 'danger',
    confirmLabel: text.confirmDisableLabel,
    calls: [disable],
    action: async () => {
      await disable.send()
      toast({
        content: text.passwordDisabledToast(displayName),
      })
    },
    errorTitle: text.disablePasswordErrorTitle,
  })
}

function resetSecondFactor({ id, displayName }: User, silo: string): void {
  const reset = planned(localIdpUserResetSecondFactor, { path: { userId: id }, query: { silo } })
  confirm({
    title: text.resetSecondFactorTitle,
    body: (
      <>
        <p>{text.resetSecondFactorQuestion(displayName)}</p>
        <p>{text.resetSecondFactorHelp}</p>
      </>
    ),
    tone: 'danger',
    confirmLabel: text.confirmResetLabel,
    calls: [reset],
    action: async () => {
      await reset.send()
      toast({
        content: text.secondFactorResetToast(displayName),
      })
    },
    errorTitle: text.resetSecondFactorErrorTitle,
  })
}

function deleteUser({ id, displayName }: User, silo: string): void {
  askToDelete({
    of: { kind: 'silo_user', id },
    kind: 'user',
    label: displayName,
    extra: text.deleteHelp,
    send: planned(localIdpUserDelete, { path: { userId: id }, query: { silo } }),
    done: async () => {
      await invalidate(siloUserList)
      toast({
        content: text.deletedToast(displayName),
      })
    },
  })
}
