import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'

/** What is on the screen although the server has not confirmed it lately. */
export interface StaleData {
  /** When the oldest of it came from the server, in milliseconds. */
  since: number
  /** Why it could not be read again. */
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
    // The same object as long as it says the same, or nobody could tell that nothing has changed.
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
