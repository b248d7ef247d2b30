import { KIB } from '~/lib/units'
import * as text from '~/messages/image'

/** Bytes of a file in one request. */
export const CHUNK_SIZE = 512 * KIB

/** Number of concurrent requests. Browsers do not open more connections to one host, and it limits the memory in use. */
export const PARALLEL_CHUNKS = 6

/** Number of attempts to send one chunk. */
const TRIES = 3

/** Timeout of one request in milliseconds. */
const CHUNK_TIMEOUT = 30_000

/** Milliseconds before the second attempt. The delay doubles with each further one. */
const FIRST_PAUSE = 1000

/** A part of a file. */
export interface Chunk {
  /** Offset on the disk, in bytes. */
  offset: number
  /** The content, a multiple of the disk's block size. The last chunk of a file is padded with zeros. */
  bytes: Uint8Array<ArrayBuffer>
}

/** The number of chunks of a file of this size. */
export const chunkCount = (size: number): number => Math.ceil(size / CHUNK_SIZE)

/** Reads one chunk, without loading the rest of the file. `blockSize` is in bytes. */
export async function readChunk(file: Blob, index: number, blockSize: number): Promise<Chunk> {
  const offset = index * CHUNK_SIZE
  const content = new Uint8Array(await file.slice(offset, offset + CHUNK_SIZE).arrayBuffer())
  const length = Math.ceil(content.length / blockSize) * blockSize
  if (length === content.length) return { offset, bytes: content }
  const bytes = new Uint8Array(length)
  bytes.set(content)
  return { offset, bytes }
}

/** Whether a chunk contains only zeros. It need not be sent, because a new disk is zeroed. */
export const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** Resolves after a delay. Rejects early if the signal is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Runs the work with a signal that is aborted after the timeout, or together with the outer one. */
async function withTimeout(
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const inner = new AbortController()
  const stop = () => inner.abort(outer.reason)
  const timer = setTimeout(() => inner.abort(new Error(text.uploadTimeoutError)), milliseconds)
  outer.addEventListener('abort', stop, { once: true })
  try {
    outer.throwIfAborted()
    await work(inner.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', stop)
  }
}

/** Sends one chunk and retries with a growing delay. */
async function sendPatiently(
  send: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout(CHUNK_TIMEOUT, signal, send)
    } catch (error) {
      if (signal.aborted || attempt === TRIES) throw error
      await pause(FIRST_PAUSE * 2 ** (attempt - 1), signal)
    }
  }
}

interface ChunkTransfer {
  file: Blob
  /** Block size of the disk, in bytes. */
  blockSize: number
  send: (chunk: Chunk, signal: AbortSignal) => Promise<unknown>
  /** What was sent before. It is not read again. */
  sent?: { has: (index: number) => boolean; count: number }
  /** Called when a chunk is on the disk, blank ones included, and before it is counted. */
  onSent?: (index: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Called after each chunk, blank ones included, with the number of finished chunks. */
  onProgress: (done: number) => void
  signal: AbortSignal
}

/**
 * Sends a file in chunks, several at once. Rejects with the first error that remains after the retries, when no request is running any more.
 */
export async function sendChunks(transfer: ChunkTransfer): Promise<void> {
  const { file, blockSize, send, sent, onSent, onProgress, signal: outer } = transfer
  const count = chunkCount(file.size)
  const halt = new AbortController()
  const stop = () => halt.abort(outer.reason)
  outer.addEventListener('abort', stop, { once: true })
  if (outer.aborted) stop()
  let next = 0
  let done = sent?.count ?? 0
  if (done > 0) onProgress(done)
  const work = async () => {
    while (next < count) {
      halt.signal.throwIfAborted()
      const index = next
      next += 1
      if (sent?.has(index)) continue
      const chunk = await readChunk(file, index, blockSize)
      if (!isBlank(chunk.bytes)) {
        await sendPatiently((signal) => send(chunk, signal), halt.signal)
      }
      await onSent?.(index, chunk.bytes)
      done += 1
      onProgress(done)
    }
  }
  const workers = Array.from({ length: Math.min(PARALLEL_CHUNKS, count) }, async () => {
    try {
      await work()
    } catch (error) {
      if (!halt.signal.aborted) halt.abort(error)
    }
  })
  await Promise.all(workers)
  outer.removeEventListener('abort', stop)
  halt.signal.throwIfAborted()
}
