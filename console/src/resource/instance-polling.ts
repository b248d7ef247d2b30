import type { Instance } from '~/api/generated/types.gen'

import { isRestartingSoon, isTransitioning } from './instance-state'

/** Milliseconds between fetches of the list after an instance has started to change. */
const LIST_FAST = 3_000
/** Milliseconds for which one change keeps the short interval, so that a stuck instance does not keep it forever. */
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

/** Identifies one change. An instance that moves from one transitional state to the next starts a new one. */
const changesOf = (page: readonly Changing[]) =>
  new Set(page.filter(isTransitioning).map((instance) => `${instance.id}|${instance.runState}`))

/**
 * The interval of the instances list, as a `refetchInterval` function with its own state. Polling never stops. The query
 * cache calls it on every render as well as after every fetch, so results are identified by their time.
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

/** Milliseconds until the page of one instance is fetched again; `false` if no change is expected. */
export function instanceViewInterval(instance: Instance, now: number): number | false {
  if (isTransitioning(instance)) return 2_000
  if (instance.runState !== 'failed' || !instance.autoRestartEnabled) return false
  return isRestartingSoon(instance, now) ? 2_000 : 30_000
}

/**
 * Milliseconds until the serial console page fetches the instance again; `false` if it waits for nothing.
 * It waits for a start to connect, and for a stop to show the current state.
 */
export function serialConsoleInterval(instance: Pick<Instance, 'runState'>): number | false {
  return ['creating', 'starting', 'stopping'].includes(instance.runState) ? 1_000 : false
}
