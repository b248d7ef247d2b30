import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  accountRecoveryCodesCreate,
  accountRecoveryCodesView,
  accountSecondFactorDelete,
  accountSecondFactorList,
  accountView,
} from '~/api/generated/operations'
import type { SecondFactor } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { SIGNED_IN_KEY } from '~/lib/storage-keys'
import * as text from '~/messages/second-factor'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { requiresRecentSignIn } from './sign-in-again'

/** The labels of the kinds of second factors. */
export const FACTOR_KINDS = text.factorLabel

/** Refreshes everything that shows how the person signs in. */
export const refreshSignIn = (): Promise<void> =>
  invalidate(accountSecondFactorList, accountRecoveryCodesView, accountView)

/** Offers to sign in again, which the server requires before it changes how a person signs in. The person returns to the current page. */
export function offerSignIn({ message }: ApiError, silo: string): void {
  confirm({
    title: text.signInAgainTitle,
    body: <p>{message}</p>,
    tone: 'primary',
    confirmLabel: text.signInLabel,
    errorTitle: text.signInErrorTitle,
    action: async () => {
      const { pathname } = window.location
      // The session has not ended, and the login screen is not to say so.
      sessionStorage.removeItem(SIGNED_IN_KEY)
      window.location.assign(`/login/${silo}/local?redirect_uri=${encodeURIComponent(pathname)}`)
    },
  })
}

/** Runs an action. If the server requires a recent sign-in for it, offers to sign in again. */
async function orSignIn(silo: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (failure) {
    if (!(failure instanceof ApiError && requiresRecentSignIn(failure))) throw failure
    offerSignIn(failure, silo)
  }
}

interface RemovalContext {
  silo: string
  /** The person has no other second factor. */
  isLast: boolean
}

/** Asks for confirmation and removes one of the person's own second factors. */
export function removeSecondFactor(
  { id, kind, name }: SecondFactor,
  { silo, isLast }: RemovalContext,
): void {
  confirm({
    title: text.removeTitle,
    body: (
      <>
        <p>{text.removeQuestion[kind](name)}</p>
        <p>{isLast ? text.removeLastHelp : text.removeHelp}</p>
      </>
    ),
    tone: 'danger',
    confirmLabel: text.removeLabel,
    errorTitle: text.removeErrorTitle,
    action: () =>
      orSignIn(silo, async () => {
        await call(accountSecondFactorDelete, { path: { factorId: id } })
        await refreshSignIn()
        toast({
          content: text.removedToast(name),
        })
      }),
  })
}

/** Asks for confirmation and generates new recovery codes. */
export function renewRecoveryCodes(silo: string, onIssued: (codes: string[]) => void): void {
  confirm({
    title: text.newCodesTitle,
    body: <p>{text.newCodesQuestion}</p>,
    tone: 'danger',
    confirmLabel: text.newCodesLabel,
    errorTitle: text.newCodesErrorTitle,
    action: () =>
      orSignIn(silo, async () => {
        const { recoveryCodes } = await call(accountRecoveryCodesCreate, {})
        onIssued(recoveryCodes)
        await refreshSignIn()
      }),
  })
}
