import {
  accountSessionDelete,
  accountSessionList,
  accountSessionsEndOthers,
} from '~/api/generated/operations'
import type { OwnSession } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import * as text from '~/messages/session'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { browserName } from './browser-name'

/** Asks for confirmation, ends one of the person's own sessions and refreshes the list. An error is shown as a toast. */
export function endOwnSession({ id, userAgent }: OwnSession): void {
  const name = browserName(userAgent)
  const end = planned(accountSessionDelete, { path: { sessionId: id } })
  confirm({
    title: text.endTitle,
    body: <p>{text.endQuestion(name)}</p>,
    tone: 'danger',
    confirmLabel: text.endLabel,
    errorTitle: text.endErrorTitle,
    calls: [end],
    action: async () => {
      await end.send()
      await invalidate(accountSessionList)
      toast({ content: text.endedToast })
    },
  })
}

/** Asks for confirmation and ends all sessions of the person except the current one. */
export function endOtherSessions(): void {
  const end = planned(accountSessionsEndOthers, {})
  confirm({
    title: text.endOthersTitle,
    body: <p>{text.endOthersQuestion}</p>,
    tone: 'danger',
    confirmLabel: text.endOthersLabel,
    errorTitle: text.endOthersErrorTitle,
    calls: [end],
    action: async () => {
      await end.send()
      await invalidate(accountSessionList)
      toast({ content: text.othersEndedToast })
    },
  })
}
