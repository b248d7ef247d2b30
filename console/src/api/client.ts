import type { Error as ErrorBody } from './generated/types.gen'
import type { AnyInput, Endpoint } from './operation'
import { fillPath, fromWire, queryString, toWire } from './wire'

/** What came back from a call: the three kinds of `docs/rules/console/shell-and-account.md#results-of-calls`. */
export type ApiResult<Data> =
  | { type: 'success'; statusCode: number; data: Data }
  | { type: 'error'; statusCode: number; requestId?: string; data: Partial<ErrorBody> }
  | { type: 'client_error'; statusCode: number; requestId?: string; error: unknown; text: string }

/** What the console uses of a WebSocket. */
export type Socket = Pick<
  WebSocket,
  'binaryType' | 'readyState' | 'addEventListener' | 'send' | 'close'
>

/** Where requests go and how: replaced as a whole when the API is not the page's own server. */
export interface Transport {
  /** Scheme and authority before every path; empty = the page's own origin. */
  host: string
  /** Bearer token; without one, the session cookie speaks for the person. */
  token?: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
  openSocket: (url: string) => Socket
}

/** The number of changes in flight, and the time of the last answer to one. */
const changes = { underWay: 0, lastAnswer: Number.NEGATIVE_INFINITY }

/** Milliseconds since the last change of this tab was answered; 0 while one is in flight. */
export const sinceOwnChange = (): number =>
  changes.underWay > 0 ? 0 : performance.now() - changes.lastAnswer

async function trackMutation<Answer>(method: string, send: () => Promise<Answer>): Promise<Answer> {
  if (method === 'GET') return send()
  changes.underWay += 1
  try {
    return await send()
  } finally {
    changes.underWay -= 1
    changes.lastAnswer = performance.now()
  }
}

const ordinaryFetch: Transport['fetch'] = (url, init) => fetch(url, init)

let transport: Transport = {
  host: import.meta.env.VITE_API_HOST ?? '',
  fetch: ordinaryFetch,
  openSocket: (url) => new WebSocket(url),
}

/** Replaces parts of the transport, for example to talk to another host. */
export function configureTransport(parts: Partial<Transport>) {
  transport = { ...transport, ...parts }
}

/** Whether requests go through the browser's `fetch`. Then `XMLHttpRequest` can take its place. */
export const isOrdinary = (): boolean => transport.fetch === ordinaryFetch

/** The address of a call, relative to the page unless a host is configured. */
export function operationUrl(operation: Endpoint, { path, query }: AnyInput): string {
  return transport.host + fillPath(operation.path, path as object) + queryString(query as object)
}

/** How one request differs from others. */
export interface Sending {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Used instead of the transport's `fetch`. */
  fetch?: Transport['fetch']
  /**
   * Asks for the position of the change log that the answer was read at, and is called with it before the answer is handed on; `null` if the
   * server does not say.
   */
  onPosition?: (position: string | null) => void
}

/** The preference of a request, and the header of its answer. */
const CHANGE_POSITION = 'change-position'

/** Sends a request and gives the answer as it came. A body of bytes, such as a file, is sent unchanged. */
export async function send(
  operation: Endpoint,
  input: AnyInput,
  { signal, headers, fetch = transport.fetch, onPosition }: Sending = {},
): Promise<Response> {
  const { body } = input
  const isRaw = body instanceof Blob
  const response = await fetch(operationUrl(operation, input), {
    method: operation.method,
    headers: {
      'content-type': isRaw ? body.type : 'application/json',
      ...authorization(),
      ...(onPosition && { prefer: CHANGE_POSITION }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(toWire(body)) }),
    ...(signal && { signal }),
  })
  onPosition?.(response.headers.get(CHANGE_POSITION))
  return response
}

/** Calls an operation and reads the answer. Rejects only when no answer came at all. */
export async function request(
  operation: Endpoint,
  input: AnyInput,
  sending?: Sending,
): Promise<ApiResult<unknown>> {
  return trackMutation(operation.method, async () => {
    const response = await send(operation, input, sending)
    return readResult(response, await response.text())
  })
}

const authorization = (): Record<string, string> =>
  transport.token ? { authorization: `Bearer ${transport.token}` } : {}

/** Reads an answer that is JSON. */
export function readResult(response: Response, text: string): ApiResult<unknown> {
  const statusCode = response.status
  const requestId = response.headers.get('x-request-id') ?? undefined
  let parsed: unknown
  try {
    parsed = text ? JSON.parse(text) : {}
  } catch (error) {
    return { type: 'client_error', statusCode, requestId, error, text }
  }
  const data = fromWire(parsed)
  return response.ok
    ? { type: 'success', statusCode, data }
    : { type: 'error', statusCode, requestId, data: data as Partial<ErrorBody> }
}

/** Opens the WebSocket of a streaming operation: wss on a secure page, ws otherwise. */
export function openSocket(operation: Endpoint, input: AnyInput): Socket {
  const url = new URL(operationUrl(operation, input), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return transport.openSocket(url.href)
}

/** An answer as it came, for people who want to see the API itself. */
export interface RawAnswer {
  statusCode: number
  requestId?: string
  text: string
}

/** Gets a path of the API with the current session. The answer is not converted, and no status is an error. */
export async function read(path: string, signal?: AbortSignal): Promise<RawAnswer> {
  const response = await transport.fetch(transport.host + path, {
    method: 'GET',
    headers: authorization(),
    ...(signal && { signal }),
  })
  return {
    statusCode: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    text: await response.text(),
  }
}

/**
 * Opens a stream of server-sent events.
 *
 * @param lastEventId where an earlier one has ended; empty for none.
 */
export function openStream(
  path: string,
  lastEventId: string,
  signal: AbortSignal,
): Promise<Response> {
  return transport.fetch(transport.host + path, {
    method: 'GET',
    headers: {
      accept: 'text/event-stream',
      ...authorization(),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    cache: 'no-store',
    signal,
  })
}
