import { callBy } from './call'
import type { Perform } from './call'
import { isOrdinary, readResult, request, send } from './client'
import type { ApiResult, Transport } from './client'
import type { Input, Operation, OperationData } from './operation'

// Uploads and downloads of files. A module of its own, because only a few screens need it.

/** A text, or the beginning of one. */
export interface TextPart {
  text: string
  /** Length of the whole in bytes. */
  size: number
}

/**
 * Reads an answer that is text.
 *
 * @param most the number of bytes to read at most. Without it, the whole text is read.
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

/**
 * Reads an answer that is a file of another kind, such as a picture; `null` if the server has none now. For what a page fetches by itself from
 * time to time, so that a refusal is no news.
 */
export async function tryForBlob<Data extends OperationData, Answer>(
  operation: Operation<Data, Answer>,
  input: Input<Data>,
  signal: AbortSignal,
): Promise<Blob | null> {
  const response = await send(operation, input, { signal })
  return response.ok ? response.blob() : null
}

/** Returns the length of a download in bytes, without transferring its content. */
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
 * Sends a file and reports progress.
 *
 * @param onProgress receives the number of bytes sent so far. It is never called in the preview, where no request leaves the page.
 * @throws ApiError like every call; the reason of the signal if it was aborted.
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

/** Like `fetch`, with progress events. */
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
