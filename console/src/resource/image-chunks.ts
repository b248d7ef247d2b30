import { KIB } from '~/lib/units'
import * as text from '~/messages/image'

/** Bytes of a file that one request carries. */
export const CHUNK_SIZE = 512 * KIB

/** Requests that are under way at once: browsers open no more connections to a host, and it bounds what is held in memory. */
export const PARALLEL_CHUNKS = 6

/** Tries that one chunk gets. */
const TRIES = 3

/** Milliseconds for one request. */
const CHUNK_TIMEOUT = 30_000

/** Milliseconds before the second try; each further one waits twice as long. */
const FIRST_PAUSE = 1000

/** What is in one chunk of a file. */
export interface Chunk {
  /** Place on the disk, in bytes. */
  offset: number
  /** A whole number of the disk's blocks; the last chunk of a file is filled up with zeros. */
  bytes: Uint8Array
}

/** How many requests a file of this many bytes is cut into. */
export const chunkCount = (size: number): number => Math.ceil(size / CHUNK_SIZE)

/** Reads one chunk; memory holds no other part of the file. `blockSize` is in bytes. */
export async function readChunk(file: Blob, index: number, blockSize: number): Promise<Chunk> {
  const offset = index * CHUNK_SIZE
  const content = new Uint8Array(await file.slice(offset, offset + CHUNK_SIZE).arrayBuffer())
  const length = Math.ceil(content.length / blockSize) * blockSize
  if (length === content.length) return { offset, bytes: content }
  const bytes = new Uint8Array(length)
  bytes.set(content)
  return { offset, bytes }
}

/** Whether a chunk holds nothing but zeros, which a new disk does by itself. */
export const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** A wait that ends early, by a rejection, when the signal is given. */
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

/** Does the work with a signal that is given after so many milliseconds, or with the outer one. */
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

/** Sends one chunk, again after a pause when that fails. */
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
  /** Of the disk, in bytes. */
  blockSize: number
  send: (chunk: Chunk, signal: AbortSignal) => Promise<unknown>
  /** Called after each chunk, blank ones included, with the number of those that are done. */
  onProgress: (done: number) => void
  signal: AbortSignal
}

/**
 * Sends a file in chunks, several at once. Rejects with the first failure that the retries did not mend, once nothing is under way any more.
 */
export async function sendChunks(transfer: ChunkTransfer): Promise<void> {
  const { file, blockSize, send, onProgress, signal: outer } = transfer
  const count = chunkCount(file.size)
  const halt = new AbortController()
  const stop = () => halt.abort(outer.reason)
  outer.addEventListener('abort', stop, { once: true })
  if (outer.aborted) stop()
  let next = 0
  let done = 0
  const work = async () => {
    while (next < count) {
      halt.signal.throwIfAborted()
      const index = next
      next += 1
      const chunk = await readChunk(file, index, blockSize)
      if (!isBlank(chunk.bytes)) {
        await sendPatiently((signal) => send(chunk, signal), halt.signal)
      }
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
