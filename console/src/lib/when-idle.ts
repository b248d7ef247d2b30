/** Longest wait for an idle moment, in milliseconds. */
const IDLE_TIMEOUT_MS = 2000

/**
 * Runs something once the page has nothing else to do, at the latest after two seconds.
 *
 * @returns what keeps it from being run.
 */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, IDLE_TIMEOUT_MS / 2)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS })
  return () => cancelIdleCallback(handle)
}
