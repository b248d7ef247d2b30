import type { Query, QueryClient } from '@tanstack/react-query'

import { sinceOwnChange } from '../client'
import { affectedBy } from './affected'
import type { ReadersByKind } from './affected'
import { batches } from './batch'
import type { Change, Received } from './message'
import { forgetPosition, isBefore, positionOf } from './positions'
import { followStream } from './share'
import { liveState, setLiveState } from './state'
import type { LiveState } from './state'

/**
 * Milliseconds after the answer to a change in which the screen that made it navigates on. The object may be renamed or deleted, so that
 * refetching it in that time would show "Page not found".
 */
const OWN_CHANGE_SETTLES = 400

/** The number of changes that are kept for answers that come later than the news of them. */
const MAX_KEPT = 500

/**
 * Invalidates cached answers when changes are committed, wherever they were made, until the signal aborts. An answer that contains a change
 * already, as its position in the change log tells, is left alone.
 *
 * @param person id of the signed-in user.
 */
export function startLive(
  client: QueryClient,
  readers: ReadersByKind,
  person: string,
  signal: AbortSignal,
): void {
  const followed = followedOperations(readers)
  const changes = new RecentChanges(client, readers, followed)
  const pending = batches<Received>(
    (received) => changes.take(received),
    () => sinceOwnChange() < OWN_CHANGE_SETTLES,
  )
  signal.addEventListener('abort', pending.clear)
  signal.addEventListener('abort', checkAnswers(client, changes))
  const setState = followNetwork((state) => changeState(client, state), signal)
  followStream(
    person,
    {
      startsAt: () => {
        const position = earliestPosition(client, followed)
        changes.startAt(position)
        return position
      },
      onJoined: (position) => {
        changes.startAt(position)
        void client.invalidateQueries({ predicate: (query) => changes.isMissingIn(query) })
      },
      onState: setState,
      onReceived: (received) => pending.add(received),
      // Any call without a session leads to the login screen.
      onSignedOut: () => void client.invalidateQueries({ queryKey: ['currentUserView'] }),
    },
    signal,
  )
}

/**
 * The position from which a stream misses nothing that the cached answers do not contain; empty if that is not known of one of them, so that
 * all of them have to be fetched again.
 */
function earliestPosition(client: QueryClient, followed: ReadonlySet<string>): string {
  let earliest = ''
  for (const query of client.getQueryCache().getAll()) {
    if (query.state.data === undefined || !followed.has(nameOf(query))) continue
    const position = positionOf(query)
    if (position === undefined) return ''
    if (earliest === '' || isBefore(position, earliest)) earliest = position
  }
  return earliest
}

/** The names of the operations whose answers change with what the stream tells. */
const followedOperations = (readers: ReadersByKind): ReadonlySet<string> =>
  new Set(Object.values(readers).flatMap((each) => [...(each?.one ?? []), ...(each?.many ?? [])]))

/** The latest changes, for answers that were read before them and come after the news of them. */
class RecentChanges {
  private kept: Change[] = []
  /** Of the changes after this position, all up to the end are kept. */
  private begin = ''
  /** The position of the last message. */
  private end = ''

  constructor(
    private readonly client: QueryClient,
    private readonly readers: ReadersByKind,
    private readonly followed: ReadonlySet<string>,
  ) {}

  /** The stream begins, or this tab begins to follow it, after a position. */
  startAt(position: string): void {
    this.kept = []
    this.begin = position
    this.end = position
  }

  /** Takes news in, and fetches again what does not contain them. */
  take(received: readonly Received[]): void {
    this.end = received.at(-1)?.lastEventId || this.end
    if (received.some(({ message }) => message.type === 'reset')) {
      this.startAt(this.end)
      void this.client.invalidateQueries()
      return
    }
    const changes = received.flatMap(({ message, lastEventId }) =>
      message.type === 'change' ? [{ ...message.change, position: lastEventId }] : [],
    )
    if (changes.length === 0) return
    this.kept.push(...changes)
    const dropped = this.kept.splice(0, Math.max(0, this.kept.length - MAX_KEPT))
    this.begin = dropped.at(-1)?.position ?? this.begin
    const isAffected = affectedBy(changes, this.client, this.readers)
    // What is being fetched is checked when it comes, if its answer says where it was read.
    const isOnTheWay = (query: Query) =>
      query.state.fetchStatus === 'fetching' && positionOf(query) !== undefined
    void this.client.invalidateQueries({
      predicate: (query) => isAffected(query) && !isOnTheWay(query),
    })
  }

  /** Whether an answer was read before a change that was told already. */
  isMissingIn(query: Query): boolean {
    const position = positionOf(query)
    if (position === undefined || !isBefore(position, this.end)) return false
    if (isBefore(position, this.begin)) return this.followed.has(nameOf(query))
    return affectedBy(this.kept, this.client, this.readers)(query)
  }
}

const nameOf = ({ queryKey }: Query) => String(queryKey[0])

/** Fetches answers again that come from before a change that was told already. */
function checkAnswers(client: QueryClient, changes: RecentChanges): () => void {
  return client.getQueryCache().subscribe((event) => {
    if (event.type === 'removed') forgetPosition(event.query)
    if (event.type !== 'updated') return
    const { type } = event.action
    if ((type !== 'success' && type !== 'error') || !changes.isMissingIn(event.query)) return
    // After a failure only on the next occasion. Not while the cache tells its listeners of this one.
    const refetchType = type === 'error' ? 'none' : 'active'
    const predicate = (query: Query) => query === event.query
    queueMicrotask(() => void client.invalidateQueries({ predicate, refetchType }))
  })
}

/**
 * Says that the browser is offline as soon as it knows, and the state of the stream otherwise.
 *
 * @returns a function that takes the state of the stream.
 */
function followNetwork(
  onState: (state: LiveState) => void,
  signal: AbortSignal,
): (state: LiveState) => void {
  let ofStream: LiveState = 'starting'
  const update = () => onState(navigator.onLine ? ofStream : 'offline')
  window.addEventListener('offline', update, { signal })
  window.addEventListener('online', update, { signal })
  return (state) => {
    ofStream = state
    update()
  }
}

function changeState(client: QueryClient, state: LiveState) {
  const isBack = state === 'live' && ['polling', 'offline'].includes(liveState())
  if (isBack) retryFailed(client)
  setLiveState(state)
  // Observers read the polling interval only when their options are set.
  for (const query of client.getQueryCache().findAll({ type: 'active' })) {
    for (const observer of query.observers) observer.setOptions(observer.options)
  }
}

/** Fetches what could not be fetched while there was no connection. */
const retryFailed = (client: QueryClient) =>
  void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
