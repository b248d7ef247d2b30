import type { QueryClient } from '@tanstack/react-query'

import { sinceOwnChange } from '../client'
import { affectedBy } from './affected'
import type { ReadersByKind } from './affected'
import { batches } from './batch'
import type { Received } from './message'
import { followStream } from './share'
import { setLiveState } from './state'
import type { LiveState } from './state'

/**
 * Milliseconds after the answer to a change in which the screen that made it navigates on. The object may be renamed or deleted, so that
 * refetching it in that time would show "Page not found".
 */
const OWN_CHANGE_SETTLES = 400

/** Calls about the person. They were answered just before the stream began, so they are not fetched again then. */
const SESSION_CALLS = new Set([
  'currentUserView',
  'currentUserGroups',
  'currentUserPermissionsView',
])

/**
 * Invalidates cached answers when changes are committed, wherever they were made, until the signal aborts.
 *
 * @param person id of the signed-in user.
 */
export function startLive(
  client: QueryClient,
  readers: ReadersByKind,
  person: string,
  signal: AbortSignal,
): void {
  const pending = batches<Received>(
    (received) => refresh(client, readers, received),
    () => sinceOwnChange() < OWN_CHANGE_SETTLES,
  )
  signal.addEventListener('abort', pending.clear)
  followStream(
    person,
    {
      onState: (state) => changeState(client, state),
      onReceived: (received) =>
        pending.add(received.filter(({ message }) => message.type !== 'heartbeat')),
      // Any call without a session leads to the login screen.
      onSignedOut: () => void client.invalidateQueries({ queryKey: ['currentUserView'] }),
    },
    signal,
  )
}

function refresh(client: QueryClient, readers: ReadersByKind, received: readonly Received[]) {
  const resets = received.flatMap(({ message }) =>
    message.type === 'reset' ? [message.reason] : [],
  )
  if (resets.some((reason) => reason !== 'started')) {
    void client.invalidateQueries()
  } else if (resets.length > 0) {
    void client.invalidateQueries({
      predicate: ({ queryKey }) => !SESSION_CALLS.has(String(queryKey[0])),
    })
  } else {
    const changes = received.flatMap(({ message }) =>
      message.type === 'change' ? [message.change] : [],
    )
    void client.invalidateQueries({ predicate: affectedBy(changes, client, readers) })
  }
}

function changeState(client: QueryClient, state: LiveState) {
  setLiveState(state)
  // Observers read the polling interval only when their options are set.
  for (const query of client.getQueryCache().findAll({ type: 'active' })) {
    for (const observer of query.observers) observer.setOptions(observer.options)
  }
}
