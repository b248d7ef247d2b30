import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'

import { FakeImageServer } from './fake-image-server'
import { CHUNK_SIZE } from './image-chunks'
import type { UploadEvents } from './image-upload'
import { readUpload } from './image-upload-record'
import type { UploadStep } from './image-upload-steps'
import { cancelUpload, resumeUpload, startUpload } from './image-uploads'

vi.mock('~/ui/toast', () => ({ toast: vi.fn() }))

/** Locks of one browser. A tab that is closed releases its own. */
class Locks {
  held = new Map<string, string>()
  request = async (
    name: string,
    optionsOrWork: object,
    work = optionsOrWork as (lock: object | null) => Promise<unknown>,
  ): Promise<unknown> => {
    if (this.held.has(name)) return work(null)
    this.held.set(name, 'exclusive')
    try {
      return await work({})
    } finally {
      this.held.delete(name)
    }
  }
  query = async () => ({
    held: [...this.held].map(([name, mode]) => ({ name, mode })),
  })
}

let server: FakeImageServer
let locks: Locks

beforeEach(() => {
  localStorage.clear()
  server = new FakeImageServer()
  locks = new Locks()
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  configureTransport({ fetch: server.answer })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

const content = () => new Uint8Array(4 * CHUNK_SIZE + 100).fill(7, CHUNK_SIZE)
const file = (bytes = content()) => new File([bytes], 'alpine.raw')

const silent: UploadEvents = {
  onStep: () => undefined,
  onProgress: () => undefined,
  onFailure: () => undefined,
}

const request = () => ({
  project: 'web',
  name: 'alpine',
  description: 'Small',
  os: 'Alpine',
  version: '3.22',
  blockSize: 512 as const,
  file: file(),
})

const kept = () => {
  const [key] = Object.keys(localStorage).filter((each) => each.startsWith('croft-upload:'))
  return key ? readUpload(key.replace('croft-upload:', '')) : undefined
}

/**
 * Begins an upload in a tab that is closed while a request is answered: the request has its effect, and nothing comes after it.
 *
 * @param last the call, for example `POST disk`.
 * @param times how many of these calls are answered before.
 */
async function interrupt(last: string, times = 0): Promise<string> {
  const closed = { at: times, isOver: false }
  configureTransport({
    fetch: async (url, init) => {
      if (closed.isOver) return new Promise(() => undefined)
      const answer = await server.answer(url, init)
      if (server.calls.at(-1) === last) {
        closed.isOver ||= closed.at === 0
        closed.at -= 1
      }
      return closed.isOver ? new Promise(() => undefined) : answer
    },
  })
  void startUpload(request(), 'ada', silent, new AbortController().signal)
  await vi.waitUntil(() => closed.isOver)
  if (last === 'POST disk/bulk-write') {
    // Those that were answered, and the blank one, which is not sent.
    await vi.waitUntil(() => kept()?.chunksDone === times + 1)
  }
  locks.held.clear()
  configureTransport({ fetch: server.answer })
  const record = kept()
  server.calls.length = 0
  return record?.id ?? ''
}

const writes = () => server.calls.filter((call) => call === 'POST disk/bulk-write').length

describe('an upload that was interrupted', () => {
  it('keeps nothing once it has ended', async () => {
    await startUpload(request(), 'ada', silent, new AbortController().signal)
    expect(server.images).toHaveLength(1)
    expect(Object.keys(localStorage)).toEqual([])
  })

  it.each<[UploadStep, string]>([
    ['createDisk', 'POST disk'],
    ['startImport', 'POST disk/bulk-write-start'],
    ['sendFile', 'POST disk/bulk-write'],
    ['stopImport', 'POST disk/bulk-write-stop'],
    ['finalize', 'POST disk/finalize'],
    ['finalize', 'GET snapshot'],
    ['removeTemporary', 'DELETE snapshot'],
    ['removeTemporary', 'DELETE disk'],
  ])('at %s (%s) goes on from there', async (step, call) => {
    const id = await interrupt(call, call === 'POST disk/bulk-write' ? 1 : 0)
    expect(readUpload(id)?.step).toBe(step)
    const needed = ['createDisk', 'startImport', 'sendFile'].includes(step)
    await resumeUpload(id, needed ? file() : undefined)
    expect(server.images).toHaveLength(1)
    expect(server.disks.size).toBe(0)
    expect(server.snapshots.size).toBe(0)
    expect(Object.keys(localStorage)).toEqual([])
    // No second disk, and no chunk twice but those whose answer was lost.
    expect(server.calls).not.toContain('POST disk')
    if (!needed) expect(writes()).toBe(0)
  })

  it('sends the chunks that are missing, and only those', async () => {
    let all: number[] = []
    server.onCall = (call) => {
      if (call === 'POST disk/bulk-write-stop') all = [...server.disks.values()][0]?.written ?? []
    }
    const id = await interrupt('POST disk/bulk-write', 2)
    const before = [...([...server.disks.values()][0]?.written ?? [])]
    await resumeUpload(id, file())
    const offsets = [1, 2, 3, 4].map((index) => index * CHUNK_SIZE)
    expect([...new Set(all)].toSorted((one, other) => one - other)).toEqual(offsets)
    expect(writes()).toBe(2)
    expect(all.length).toBeLessThanOrEqual(before.length + 2)
  })

  it('takes no other file, and leaves everything as it is', async () => {
    const id = await interrupt('POST disk/bulk-write', 2)
    await resumeUpload(id, file(content().fill(8)))
    await resumeUpload(id, file(content().subarray(5)))
    expect(server.calls).toEqual([])
    expect(readUpload(id)?.step).toBe('sendFile')
    await resumeUpload(id, file())
    expect(server.images).toHaveLength(1)
  })

  it('does not go on in two tabs', async () => {
    const id = await interrupt('POST disk/bulk-write', 2)
    locks.held.set(`croft-upload:${id}`, 'exclusive')
    await resumeUpload(id, file())
    expect(server.calls).toEqual([])
  })

  it('stays for another try when its disk is gone, and is forgotten when it is canceled', async () => {
    const id = await interrupt('POST disk/bulk-write', 2)
    server.disks.clear()
    await resumeUpload(id, file())
    expect(readUpload(id)).toBeDefined()
    expect(server.images).toEqual([])
    await cancelUpload(id, false)
    expect(Object.keys(localStorage)).toEqual([])
  })

  it.each(['POST disk', 'POST disk/bulk-write', 'POST disk/finalize'])(
    'at %s leaves nothing when it is canceled',
    async (call) => {
      const id = await interrupt(call)
      expect(server.disks.size).toBe(1)
      await cancelUpload(id, false)
      expect(server.disks.size).toBe(0)
      expect(server.snapshots.size).toBe(0)
      expect(Object.keys(localStorage)).toEqual([])
    },
  )
})

it('stays when nothing could be removed after a failure, because there was no connection', async () => {
  configureTransport({
    fetch: (url, init) =>
      server.calls.includes('POST disk/bulk-write-start')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : server.answer(url, init),
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended = startUpload(request(), 'ada', silent, new AbortController().signal)
  const isOver = vi.fn()
  void ended.then(isOver)
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000)
    expect(isOver).toHaveBeenCalled()
  })
  vi.useRealTimers()
  expect((await ended).leftovers).toHaveLength(1)
  configureTransport({ fetch: server.answer })
  await resumeUpload(kept()?.id ?? '', file())
  expect(server.images).toHaveLength(1)
  expect(server.disks.size).toBe(0)
})
