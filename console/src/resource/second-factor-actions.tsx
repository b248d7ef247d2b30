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
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { requiresRecentSignIn } from './sign-in-again'

/** What people call the kinds. */
export const FACTOR_KINDS: Record<SecondFactor['kind'], string> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
}

/** Has everything read again that shows how the person signs in. */
export const refreshSignIn = (): Promise<void> =>
  invalidate(accountSecondFactorList, accountRecoveryCodesView, accountView)

/** Offers to sign in again, as the server wants it before it changes how somebody signs in. Leads back to this screen. */
export function offerSignIn({ message }: ApiError, silo: string): void {
  confirm({
    title: 'Sign in again',
    body: <p>{message}</p>,
    tone: 'primary',
    confirmLabel: 'Sign in',
    errorTitle: 'Could not open the login page',
    action: async () => {
      const { pathname } = window.location
      window.location.assign(`/login/${silo}/local?redirect_uri=${encodeURIComponent(pathname)}`)
    },
  })
}

/** Does something that the server may want another sign-in for, which is then offered. */
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
  /** The person has no other. */
  isLast: boolean
}

/** Asks and removes one of the person's own second factors. */
export function removeSecondFactor(
  { id, kind, name }: SecondFactor,
  { silo, isLast }: RemovalContext,
): void {
  confirm({
    title: 'Confirm remove second factor',
    body: (
      <>
        <p>
          {FACTOR_KINDS[kind]} <b>{name}</b> can no longer be used to sign in.
        </p>
        <p>
          {isLast
            ? 'This is your only second factor. Without it, your password alone is enough to sign in. Your recovery codes are deleted and your other sessions end.'
            : 'Your other second factors and your recovery codes are kept. Your other sessions end.'}
        </p>
      </>
    ),
    tone: 'danger',
    confirmLabel: 'Remove',
    errorTitle: 'Could not remove the second factor',
    action: () =>
      orSignIn(silo, async () => {
        await call(accountSecondFactorDelete, { path: { factorId: id } })
        await refreshSignIn()
        toast({
          content: (
            <>
              Second factor <b>{name}</b> removed
            </>
          ),
        })
      }),
  })
}

/** Asks and makes new recovery codes. */
export function renewRecoveryCodes(silo: string, onIssued: (codes: string[]) => void): void {
  confirm({
    title: 'Confirm new recovery codes',
    body: <p>The codes that you have saved stop working. The new ones are shown once.</p>,
    tone: 'danger',
    confirmLabel: 'Generate new codes',
    errorTitle: 'Could not generate new recovery codes',
    action: () =>
      orSignIn(silo, async () => {
        const { recoveryCodes } = await call(accountRecoveryCodesCreate, {})
        onIssued(recoveryCodes)
        await refreshSignIn()
      }),
  })
}
