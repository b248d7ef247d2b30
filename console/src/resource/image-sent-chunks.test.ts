import { beforeEach, describe, expect, it } from 'vitest'

import { CHUNK_SIZE, readChunk } from './image-chunks'
import { RUN_LENGTH, SentChunks } from './image-sent-chunks'

const idle = () => new AbortController().signal
const ignore = () => undefined

/** A file of so many chunks, each of them full of its number: the first is blank. */
function numbered(chunks: number, rest = 0): Blob {
  const bytes = new Uint8Array(chunks * CHUNK_SIZE + rest).fill(200, chunks * CHUNK_SIZE)
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    bytes.fill(chunk % 251, chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE)
  }
  return new Blob([bytes])
}

/** The file with another byte. */
async function changed(file: Blob, at: number): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  bytes[at] = (bytes[at] ?? 0) + 1
  return new Blob([bytes])
}

async function send(id: string, file: Blob, indexes: Iterable<number>) {
  const sent = new SentChunks(id, file.size)
  for (const index of indexes) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await sent.add(index, (await readChunk(file, index, 512)).bytes)
  }
  return sent
}

/** What a later visit finds. */
const found = (id: string, file: Blob) => new SentChunks(id, file.size)

const isIn = (sent: SentChunks, file: Blob) => sent.isIn(file, 512, idle(), ignore)

beforeEach(() => localStorage.clear())

describe('what was sent of a file', () => {
  it('is found again', async () => {
    const file = numbered(5, 100)
    await send('a', file, [0, 3, 5])
    const later = found('a', file)
    expect([0, 1, 2, 3, 4, 5].filter((index) => later.has(index))).toEqual([0, 3, 5])
    expect(later.count).toBe(3)
    expect(await isIn(later, file)).toBe(true)
    expect(found('b', file).count).toBe(0)
  })

  it.each([
    ['a chunk that was sent', 3 * CHUNK_SIZE + 7, false],
    ['a chunk that was blank', 9, false],
    ['the end', 5 * CHUNK_SIZE + 99, false],
    ['a chunk that was not sent', 2 * CHUNK_SIZE, true],
  ])('is compared: another byte in %s', async (_, at, fits) => {
    const file = numbered(5, 100)
    const sent = await send('a', file, [0, 3, 5])
    expect(await isIn(sent, await changed(file, at))).toBe(fits)
  })

  it('is in no file of another size', async () => {
    const file = numbered(2)
    const sent = await send('a', file, [0, 1])
    expect(await isIn(sent, numbered(3))).toBe(false)
  })

  it('takes one hash for each run of chunks that is complete', async () => {
    const file = numbered(RUN_LENGTH + 2)
    const all = Array.from({ length: RUN_LENGTH }, (_, index) => index)
    // The last one first, as several are sent at once.
    const sent = await send('a', file, [...all.toReversed(), RUN_LENGTH])
    expect(sent.count).toBe(RUN_LENGTH + 1)
    const [first = '', second = ''] = Object.keys(localStorage)
      .toSorted()
      .map((key) => localStorage.getItem(key) ?? '')
    expect(first).toMatch(/^[\w+/]{43}=$/)
    expect(Object.keys(JSON.parse(second) as object)).toEqual([String(RUN_LENGTH)])
    const later = found('a', file)
    expect(later.count).toBe(RUN_LENGTH + 1)
    expect(later.has(17)).toBe(true)
    expect(later.has(RUN_LENGTH + 1)).toBe(false)
    let checked = 0
    expect(await later.isIn(file, 512, idle(), (chunks) => (checked = chunks))).toBe(true)
    expect(checked).toBe(RUN_LENGTH + 1)
    expect(await isIn(later, await changed(file, 17 * CHUNK_SIZE))).toBe(false)
  })

  it('is not compared any further once the upload is canceled', async () => {
    const file = numbered(5)
    const sent = await send('a', file, [0, 3])
    const cancel = new AbortController()
    cancel.abort(new Error('enough'))
    await expect(sent.isIn(file, 512, cancel.signal, ignore)).rejects.toThrow('enough')
  })
})
