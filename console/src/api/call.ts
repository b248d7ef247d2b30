import { operationUrl, request } from './client'
import type { ApiResult, Sending } from './client'
import { ApiError, processError, unreachable } from './errors'
import type { ProcessedError } from './errors'
import type { AnyInput, Endpoint, Input, Operation, OperationData } from './operation'

/**
 * Calls an operation and gives its data; rejects with an {@link ApiError}. An expired session leaves the page for the login screen, and
 * then the promise never settles: an error must not flash up on a page that is being left.
 */
export async function call<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
  sending: Sending = {},
): Promise<Response> {
  return (await callBy(request, operation, input, sending)) as Response
}

/** How a call is sent and its answer read. */
export type Perform = (
  operation: Endpoint,
  input: AnyInput,
  sending: Sending,
) => Promise<ApiResult<unknown>>

/** Like {@link call}, for what is sent or answered in another way than JSON. */
export async function callBy(
  perform: Perform,
  operation: Endpoint,
  input: AnyInput,
  sending: Sending,
): Promise<unknown> {
  const result = await answer(perform, operation, input, sending)
  if (result.type === 'success') return result.data
  const error = processError(operation.name, result)
  logFailure(operationUrl(operation, input), error)
  throw new ApiError(error, { operation, input, answer: result })
}

/** A call whose failure is an expected outcome, for example a permission probe. */
export type Outcome<Data> =
  | { type: 'success'; data: Data }
  | { type: 'error'; data: ProcessedError }

/** Like {@link call}, but a failure is data too: it is logged as information and does not reject. */
export async function callForOutcome<Data extends OperationData, Response>(
  operation: Operation<Data, Response>,
  input: Input<Data>,
  sending: Sending = {},
): Promise<Outcome<Response>> {
  const result = await answer(request, operation, input, sending)
  if (result.type === 'success') return { type: 'success', data: result.data as Response }
  const error = processError(operation.name, result)
  console.info(`${operation.name} answered ${error.statusCode}: ${error.message}`)
  return { type: 'error', data: error }
}

async function answer(
  perform: Perform,
  operation: Endpoint,
  input: AnyInput,
  sending: Sending,
): Promise<ApiResult<unknown>> {
  let result: ApiResult<unknown>
  try {
    result = await perform(operation, input, sending)
  } catch (error) {
    // An abandoned query is not a failure to report.
    if (sending.signal?.aborted) throw error
    logFailure(operationUrl(operation, input), unreachable)
    throw new ApiError(unreachable)
  }
  if (result.statusCode === 401 && operation.name !== 'loginLocal') {
    leaveForLogin()
    return new Promise(() => {})
  }
  return result
}

let leaving = false

/** Full navigation to the login screen, once, with the way back to the current place. */
function leaveForLogin() {
  if (leaving) return
  leaving = true
  const { pathname, search } = window.location
  const here = pathname + tidy(search)
  // Between the steps of signing in: the form is shown again, and still knows where to go afterwards.
  const isLogin = pathname.startsWith('/login/')
  window.location.assign(isLogin ? here : `/login?redirect_uri=${encodeURIComponent(here)}`)
}

/** A query without an empty `pageToken`: the first page of a list has no token, so an empty one says nothing. */
function tidy(search: string): string {
  const parts = search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part && part !== 'pageToken=')
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

// A page restored from the back/forward cache has to be able to leave again.
if (typeof window !== 'undefined') {
  window.addEventListener('pageshow', () => {
    leaving = false
  })
}

function logFailure(url: string, { message, errorCode, statusCode, requestId }: ProcessedError) {
  console.error(
    [
      `API error ${statusCode ?? '(no answer)'}`,
      `  page:       ${window.location.pathname}`,
      `  url:        ${url}`,
      `  request id: ${requestId ?? '-'}`,
      `  code:       ${errorCode ?? '-'}`,
      `  message:    ${message}`,
    ].join('\n'),
  )
}
