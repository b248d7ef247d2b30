/** Milliseconds that every call waits at least, and the width of the range above (`docs/rules/console/shell-and-account.md#preview`). */
const SHORTEST = 200
const RANGE = 200

/** What takes longer in a real cloud, and by how many milliseconds. */
const SLOW: { method: string; path: RegExp; extra: number }[] = [
  { method: 'POST', path: /^\/v1\/(system\/)?timeseries\/query$/, extra: 1000 },
  { method: 'POST', path: /^\/v1\/disks\/[^/]+\/bulk-write-(start|stop)$/, extra: 2000 },
  { method: 'POST', path: /^\/v1\/disks\/[^/]+\/bulk-write$/, extra: 1000 },
]

declare global {
  /** Set by tests before the page's scripts run: calls are answered at once, so that a suite need not wait. */
  var croftAnswersAtOnce: boolean | undefined
}

/** Whether a path is one of the API's, which answer as if they were far away; signing in and devices do not. */
export const isApiPath = (path: string): boolean => /^\/(v1|experimental)\//.test(path)

/**
 * Milliseconds that a call waits before it is answered: 200 to 399, and more for what takes longer.
 *
 * @param random answers a number of at least 0 and less than 1.
 */
export function latency(method: string, path: string, random: () => number = Math.random): number {
  if (!isApiPath(path) || globalThis.croftAnswersAtOnce) return 0
  const slow = SLOW.find((each) => each.method === method && each.path.test(path))
  return SHORTEST + Math.floor(random() * RANGE) + (slow?.extra ?? 0)
}

/** Waits, and rejects with the signal's reason when it is aborted meanwhile. */
export function pause(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error)
      return
    }
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort)
  })
}
