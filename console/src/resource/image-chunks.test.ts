import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { CHUNK_SIZE, chunkCount, isBlank, readChunk, sendChunks } from './image-chunks'
import type { Chunk } from './image-chunks'

/** A file of so many bytes, each of them the number of its chunk plus one. */
function numbered(size: number): Blob {
  const bytes = new Uint8Array(size)
  for (let chunk = 0; chunk < chunkCount(size); chunk += 1) {
    bytes.fill(chunk + 1, chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE)
  }
  return new Blob([bytes])
}

/** Why something failed, or `undefined` when it did not. */
const messageOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error.message,
  )

const idle = () => new AbortController().signal

describe('chunks of a file', () => {
  it.each([
    [1, 1],
    [CHUNK_SIZE, 1],
    [CHUNK_SIZE + 1, 2],
    [3 * CHUNK_SIZE, 3],
  ])('a file of %i bytes has %i', (size, count) => {
    expect(chunkCount(size)).toBe(count)
  })

  it('start at whole multiples of 512 KiB', async () => {
    const file = numbered(2 * CHUNK_SIZE)
    const { offset, bytes } = await readChunk(file, 1, 512)
    expect(offset).toBe(524_288)
    expect(bytes).toHaveLength(CHUNK_SIZE)
    expect(new Set(bytes)).toEqual(new Set([2]))
  })

  it('fill the last block with zeros, because a disk takes whole blocks only', async () => {
    const { bytes } = await readChunk(numbered(CHUNK_SIZE + 5), 1, 2048)
    expect(bytes).toHaveLength(2048)
    expect(Array.from(bytes.slice(0, 6))).toEqual([2, 2, 2, 2, 2, 0])
  })

  it('are blank when every byte is zero', () => {
    expect(isBlank(new Uint8Array(4096))).toBe(true)
    expect(isBlank(Uint8Array.from([0, 0, 1, 0]))).toBe(false)
  })
})

describe('sendChunks', () => {
  it('sends every chunk once, and counts them', async () => {
    const offsets: number[] = []
    const progress: number[] = []
    await sendChunks({
      file: numbered(8 * CHUNK_SIZE + 1),
      blockSize: 512,
      send: async ({ offset }) => offsets.push(offset),
      onProgress: (done) => progress.push(done),
      signal: idle(),
    })
    expect(offsets.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 9 }, (_, index) => index * CHUNK_SIZE),
    )
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('does not send blank chunks, but counts them', async () => {
    const sent: Chunk[] = []
    const onProgress = vi.fn()
    await sendChunks({
      file: new Blob([new Uint8Array(CHUNK_SIZE), numbered(CHUNK_SIZE), new Uint8Array(9)]),
      blockSize: 512,
      send: async (chunk) => sent.push(chunk),
      onProgress,
      signal: idle(),
    })
    expect(sent.map(({ offset }) => offset)).toEqual([CHUNK_SIZE])
    expect(onProgress).toHaveBeenLastCalledWith(3)
  })

  it('has six requests under way, never more', async () => {
    let underWay = 0
    let most = 0
    const release: (() => void)[] = []
    const transfer = sendChunks({
      file: numbered(20 * CHUNK_SIZE),
      blockSize: 512,
      send: () => {
        underWay += 1
        most = Math.max(most, underWay)
        return new Promise<void>((resolve) => {
          release.push(() => {
            underWay -= 1
            resolve()
          })
        })
      },
      onProgress: () => undefined,
      signal: idle(),
    })
    let released = 0
    while (released < 20) {
      const next = await vi.waitUntil(() => release.at(released))
      next()
      released += 1
    }
    await transfer
    expect(most).toBe(6)
  })
})

describe('a chunk that fails', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const sendOne = (
    send: (chunk: Chunk, signal: AbortSignal) => Promise<unknown>,
    signal = idle(),
  ) => sendChunks({ file: numbered(10), blockSize: 512, send, onProgress: () => undefined, signal })

  const calls = (send: ReturnType<typeof vi.fn>, count: number) =>
    vi.waitFor(() => expect(send).toHaveBeenCalledTimes(count))

  it('is sent again after one second, then after two', async () => {
    const times: number[] = []
    const send = vi.fn(async () => {
      times.push(Date.now())
      if (times.length < 3) throw new Error('lost')
    })
    const transfer = sendOne(send)
    await calls(send, 1)
    await vi.advanceTimersByTimeAsync(3000)
    await transfer
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 1000, 3000])
  })

  it('is given up after the third try', async () => {
    const send = vi.fn(async () => {
      throw new Error('lost')
    })
    const failed = messageOf(sendOne(send))
    await calls(send, 1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await failed).toMatch('lost')
    expect(send).toHaveBeenCalledTimes(3)
  })

  it('fails when there is no answer for thirty seconds', async () => {
    const never = vi.fn(
      (_chunk: Chunk, signal: AbortSignal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    const failed = messageOf(sendOne(never))
    await calls(never, 1)
    await vi.advanceTimersByTimeAsync(30_000 + 1000 + 30_000 + 2000 + 30_000)
    expect(await failed).toMatch('took too long')
    expect(never).toHaveBeenCalledTimes(3)
  })

  it('is not sent again once the upload is cancelled', async () => {
    const cancel = new AbortController()
    const send = vi.fn(async () => {
      throw new Error('lost')
    })
    const failed = messageOf(sendOne(send, cancel.signal))
    await calls(send, 1)
    cancel.abort(new Error('enough'))
    expect(await failed).toMatch('enough')
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('stops the others that are under way', async () => {
    const stopped: number[] = []
    const failed = messageOf(
      sendChunks({
        file: numbered(6 * CHUNK_SIZE),
        blockSize: 512,
        send: ({ offset }, signal) =>
          new Promise((_resolve, reject) => {
            if (offset === 0) reject(new Error('lost'))
            signal.addEventListener('abort', () => {
              stopped.push(offset)
              reject(signal.reason as Error)
            })
          }),
        onProgress: () => undefined,
        signal: idle(),
      }),
    )
    await vi.advanceTimersByTimeAsync(0)
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(3000)
      expect(stopped.length).toBeGreaterThanOrEqual(5)
    })
    expect(await failed).toBe('lost')
  })
})
