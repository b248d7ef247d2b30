import { call } from '~/api/call'
import {
  accountSessionDelete,
  accountSessionList,
  accountSessionsEndOthers,
} from '~/api/generated/operations'
import type { OwnSession } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as text from '~/messages/session'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { browserName } from './browser-name'

/** Asks for confirmation, ends one of the person's own sessions and refreshes the list. An error is shown as a toast. */
export function endOwnSession({ id, userAgent }: OwnSession): void {
  const name = browserName(userAgent)
  confirm({
    title: text.endTitle,
    body: <p>{text.endQuestion(name)}</p>,
    tone: 'danger',
    confirmLabel: text.endLabel,
    errorTitle: text.endErrorTitle,
    action: async () => {
      await call(accountSessionDelete, { path: { sessionId: id } })
      await invalidate(accountSessionList)
      toast({ content: text.endedToast })
    },
  })
}

/** Asks for confirmation and ends all sessions of the person except the current one. */
export function endOtherSessions(): void {
  confirm({
    title: text.endOthersTitle,
    body: <p>{text.endOthersQuestion}</p>,
    tone: 'danger',
    confirmLabel: text.endOthersLabel,
    errorTitle: text.endOthersErrorTitle,
    action: async () => {
      await call(accountSessionsEndOthers, {})
      await invalidate(accountSessionList)
      toast({ content: text.othersEndedToast })
    },
  })
}
