import type { Instance } from '~/api/generated/types.gen'

import { isRestartingSoon, isTransitioning } from './instance-state'

/** Milliseconds between fetches of the list while an instance has newly begun to change. */
const LIST_FAST = 3_000
/** Milliseconds for which one change keeps the list fast, so that an instance that is stuck does not do so for ever. */
const LIST_FAST_FOR = 30_000
/** Milliseconds between fetches of the list otherwise. */
const LIST_SLOW = 60_000

type Changing = Pick<Instance, 'id' | 'runState'>

interface FetchedPage {
  state: {
    data?: { items: readonly Changing[] } | undefined
    dataUpdatedAt: number
  }
}

/** What counts as one change: an instance that moves from one such state to the next begins a new one. */
const changesOf = (page: readonly Changing[]) =>
  new Set(page.filter(isTransitioning).map((instance) => `${instance.id}|${instance.runState}`))

/**
 * The pace of the instances list as a `refetchInterval` function with a memory of its own; polling never stops. The query
 * cache asks on every render as well as after every fetch, so a page counts once, by the time it was fetched.
 */
export function instanceListPolling(): (query: FetchedPage) => number {
  let changes: ReadonlySet<string> = new Set()
  let fastUntil = 0
  let observedAt = 0
  return ({ state: { data, dataUpdatedAt } }) => {
    if (data && dataUpdatedAt !== observedAt) {
      const present = changesOf(data.items)
      const isNew = [...present].some((change) => !changes.has(change))
      if (isNew) fastUntil = dataUpdatedAt + LIST_FAST_FOR
      changes = present
      observedAt = dataUpdatedAt
    }
    return changes.size > 0 && observedAt < fastUntil ? LIST_FAST : LIST_SLOW
  }
}

/** Milliseconds until the page of one instance is fetched again; `false` while nothing is expected to change. */
export function instanceViewInterval(instance: Instance, now: number): number | false {
  if (isTransitioning(instance)) return 2_000
  if (instance.runState !== 'failed' || !instance.autoRestartEnabled) return false
  return isRestartingSoon(instance, now) ? 2_000 : 30_000
}

/**
 * Milliseconds until the serial console page looks at the instance again; `false` when it has nothing to wait for.
 * It waits for a start in order to connect, and for a stop in order to say truthfully what the instance is.
 */
export function serialConsoleInterval(instance: Pick<Instance, 'runState'>): number | false {
  return ['creating', 'starting', 'stopping'].includes(instance.runState) ? 1_000 : false
}
