import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'

/** Data on the screen whose last refresh failed. */
export interface StaleData {
  /** Time of the oldest data, in milliseconds since the epoch. */
  since: number
  /** Why the refresh failed. */
  message: string
}

/** Queries on screen whose data is there but whose last refresh failed. */
function failedRefreshes(client: QueryClient) {
  return client.getQueryCache().findAll({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' && state.data !== undefined,
  })
}

/** Watches for data on screen that could not be refreshed. */
export function watchStaleData(client: QueryClient) {
  let current: StaleData | null = null
  const read = (): StaleData | null => {
    const failed = failedRefreshes(client)
    const [first] = failed
    const next = first && {
      since: Math.min(...failed.map(({ state }) => state.dataUpdatedAt)),
      message: first.state.error?.message ?? '',
    }
    // Keep the object if its content is the same, so that subscribers do not render again.
    if (next?.since !== current?.since || next?.message !== current?.message) current = next ?? null
    return current
  }
  return { read, subscribe: (listener: () => void) => client.getQueryCache().subscribe(listener) }
}

/** Data on screen that could not be refreshed, if there is any, and the way to try again. */
export function useStaleData(): { stale: StaleData | null; retry: () => Promise<unknown> } {
  const client = useQueryClient()
  const { read, subscribe } = useMemo(() => watchStaleData(client), [client])
  const stale = useSyncExternalStore(subscribe, read)
  return {
    stale,
    retry: () =>
      Promise.all(failedRefreshes(client).map((query) => query.fetch().catch(() => null))),
  }
}
