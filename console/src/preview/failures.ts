/** Code of the error body of an injected failure, by which screens know one. */
export const INJECTED = 'InjectedFailure'

/** The statuses of injected failures, each as often as it is drawn (`docs/rules/console/shell-and-account.md#failures-on-purpose`). */
const STATUSES = [401, 403, 404, 404, 404, 404, 404, 500, 500]

let percent = 0
const listeners = new Set<() => void>()

/** The percentage of calls that fail. */
export const failurePercent = (): number => percent

/** Sets the percentage of calls that fail: 0 to 100, decimals allowed. */
export function setFailurePercent(next: number): void {
  percent = next
  console.info(next > 0 ? `Injecting failures: ${next} % of all calls.` : 'No failures injected.')
  for (const listener of listeners) listener()
}

/** Calls the listener when {@link failurePercent} changes. Returns a function that unsubscribes. */
export function subscribeFailurePercent(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/**
 * What `?chaos=<percent>` asks for, at most 100; 0 without it. Who was led away to sign in has it in the address to come back to.
 */
export function askedFailurePercent(search: string): number {
  const query = new URLSearchParams(search)
  const back = query.get('redirect_uri') ?? ''
  const requested = query.get('chaos') ?? new URLSearchParams(back.split('?')[1]).get('chaos')
  const number = Number(requested)
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 100) : 0
}

/** The status with which the next call fails, if it is to fail. */
export function drawFailure(random: () => number = Math.random): number | undefined {
  if (random() * 100 >= percent) return undefined
  return STATUSES[Math.floor(random() * STATUSES.length)]
}

/** The answer to a call with an injected failure. Its header and its message say that it is injected. */
export function injectedFailure(status: number, method: string, path: string): Response {
  const body = {
    error_code: INJECTED,
    message: `Failure injected by the preview: ${method} ${path} answers ${status}`,
    request_id: 'injected',
  }
  return Response.json(body, { status, headers: { 'x-chaos': String(status) } })
}
