/** Code of the error body of an injected failure, by which screens know one. */
export const INJECTED = 'InjectedFailure'

/** The statuses of injected failures, each as often as it is drawn (`docs/rules/console/shell-and-account.md#failures-on-purpose`). */
const STATUSES = [401, 403, 404, 404, 404, 404, 404, 500, 500]

let percent = 0
const listeners = new Set<() => void>()

/** How many of a hundred calls fail; 0 for none. */
export const failurePercent = (): number => percent

/** Has so many of a hundred calls fail from now on: 0 to 100, decimals allowed. */
export function setFailurePercent(next: number): void {
  percent = next
  console.info(next > 0 ? `Injecting failures: ${next} % of all calls.` : 'No failures injected.')
  for (const listener of listeners) listener()
}

/** Has somebody told when {@link failurePercent} changes; answers how to stop that. */
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

/** The status with which a call fails, if it is its turn. */
export function drawFailure(random: () => number = Math.random): number | undefined {
  if (random() * 100 >= percent) return undefined
  return STATUSES[Math.floor(random() * STATUSES.length)]
}

/** The answer to a call that fails on purpose. It says so, in a header for programs and in words for people. */
export function injectedFailure(status: number, method: string, path: string): Response {
  const body = {
    error_code: INJECTED,
    message: `Failure injected by the preview: ${method} ${path} answers ${status}`,
    request_id: 'injected',
  }
  return Response.json(body, { status, headers: { 'x-chaos': String(status) } })
}
