import { call } from '~/api/call'
import {
  accountSessionDelete,
  accountSessionList,
  accountSessionsEndOthers,
} from '~/api/generated/operations'
import type { OwnSession } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { browserName } from './browser-name'

/** Asks, ends one of the person's own sessions and refreshes the list. A failure is shown as a toast. */
export function endOwnSession({ id, userAgent }: OwnSession): void {
  const name = browserName(userAgent)
  confirm({
    title: 'Confirm end session',
    body: (
      <p>
        Anyone using this session in <b>{name}</b> has to sign in again.
      </p>
    ),
    tone: 'danger',
    confirmLabel: 'End session',
    errorTitle: 'Could not end the session',
    action: async () => {
      await call(accountSessionDelete, { path: { sessionId: id } })
      await invalidate(accountSessionList)
      toast({ content: 'Session ended' })
    },
  })
}

/** Asks and ends all sessions of the person but the present one. */
export function endOtherSessions(): void {
  confirm({
    title: 'Confirm end other sessions',
    body: <p>You have to sign in again in all other browsers. Access tokens are not affected.</p>,
    tone: 'danger',
    confirmLabel: 'End other sessions',
    errorTitle: 'Could not end the sessions',
    action: async () => {
      await call(accountSessionsEndOthers, {})
      await invalidate(accountSessionList)
      toast({ content: 'Other sessions ended' })
    },
  })
}
