import { callBy } from './call'
import type { Perform } from './call'
import { isOrdinary, readResult, request, send } from './client'
import type { ApiResult, Transport } from './client'
import type { Input, Operation, OperationData } from './operation'

// What comes and goes as files rather than as JSON. Only the screens that need it load this.

/** The beginning of a text, or the whole of it. */
export interface TextPart {
  text: string
  /** Length of the whole in bytes. */
  size: number
}

/**
 * Reads an answer that is text.
 *
 * @param most bytes to read; without it, everything.
 * @throws ApiError as every call does.
 */
export async function callForText<Data extends OperationData, Answer>(
  operation: Operation<Data, Answer>,
  input: Input<Data>,
  { signal, most }: { signal?: AbortSignal; most?: number } = {},
): Promise<TextPart> {
  const headers = most === undefined ? undefined : { range: `bytes=0-${most - 1}` }
  return (await callBy(readText, operation, input, { signal, headers })) as TextPart
}

const readText: Perform = async (operation, input, sending) => {
  const response = await send(operation, input, sending)
  const text = await response.text()
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  // An empty file has no first byte to begin a range with.
  if (response.status === 416 && whole === '0') return success(200, { text: '', size: 0 })
  if (!response.ok) return readResult(response, text)
  const size = Number(whole ?? response.headers.get('content-length') ?? text.length)
  return success(response.status, { text, size })
}

/** Length in bytes of what a download would give, asked for without downloading it. */
export async function callForSize<Data extends OperationData, Answer>(
  operation: Operation<Data, Answer>,
  input: Input<Data>,
  signal?: AbortSignal,
): Promise<number> {
  return (await callBy(readSize, operation, input, { signal })) as number
}

const readSize: Perform = async (operation, input, sending) => {
  const response = await send(operation, input, sending)
  if (!response.ok) return readResult(response, await response.text())
  return success(response.status, Number(response.headers.get('content-length')))
}

/**
 * Sends a file and tells how much of it is on its way.
 *
 * @param onProgress is given the bytes sent so far. It is never called where requests do not leave the page.
 * @throws ApiError as every call does; whatever the signal was aborted with, once it is.
 */
export async function callWithFile<Data extends OperationData, Answer>(
  operation: Operation<Data, Answer>,
  input: Input<Data>,
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return (await callBy(request, operation, input, {
    signal,
    headers: { 'content-type': 'application/octet-stream' },
    ...(isOrdinary() && { fetch: sendWithProgress(onProgress) }),
  })) as Answer
}

/** Like `fetch`, which cannot tell how far it is. */
const sendWithProgress =
  (onProgress: (sent: number) => void): Transport['fetch'] =>
  (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest()
      sending.open(method, url)
      new Headers(headers).forEach((value, name) => sending.setRequestHeader(name, value))
      sending.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
      sending.addEventListener('load', () => resolve(answerOf(sending)))
      sending.addEventListener('error', () => reject(new TypeError('no response')))
      sending.addEventListener('abort', () => reject(signal?.reason as Error))
      signal?.addEventListener('abort', () => sending.abort(), { once: true })
      sending.send(body as XMLHttpRequestBodyInit | null | undefined)
    })

function answerOf(sending: XMLHttpRequest): Response {
  const requestId = sending.getResponseHeader('x-request-id')
  return new Response(sending.responseText, {
    status: sending.status,
    headers: requestId ? { 'x-request-id': requestId } : {},
  })
}

const success = (statusCode: number, data: unknown): ApiResult<unknown> => ({
  type: 'success',
  statusCode,
  data,
})
