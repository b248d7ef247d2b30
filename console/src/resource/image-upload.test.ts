import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { GIB } from '~/lib/units'

import { FakeImageServer, failure } from './fake-image-server'
import type { FakeDisk } from './fake-image-server'
import { CHUNK_SIZE } from './image-chunks'
import { uploadImage } from './image-upload'
import type { UploadFailure } from './image-upload'
import { UPLOAD_STEPS } from './image-upload-steps'
import type { StepStatus, UploadStep } from './image-upload-steps'

const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))

let server: FakeImageServer
let statuses: Record<string, StepStatus>
let failures: UploadFailure[]
let progress: number[]

beforeEach(() => {
  server = new FakeImageServer()
  statuses = {}
  failures = []
  progress = []
  configureTransport({ fetch: server.answer })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const content = () => new Uint8Array(3 * CHUNK_SIZE + 100).fill(7, CHUNK_SIZE)

function upload(signal = new AbortController().signal, onStep?: (step: UploadStep) => void) {
  return uploadImage(
    {
      project: 'web',
      name: 'alpine',
      description: 'Small',
      os: 'Alpine',
      version: '3.22',
      blockSize: 512,
      file: new File([content()], 'alpine.raw'),
    },
    {
      onStep: (step, status) => {
        statuses[step] = status
        if (status === 'running') onStep?.(step)
      },
      onProgress: (done) => progress.push(done),
      onFailure: (each) => failures.push(each),
    },
    signal,
  )
}

const allComplete = Object.fromEntries(UPLOAD_STEPS.map(({ id }) => [id, 'complete']))

describe('an upload that succeeds', () => {
  it('makes the image and leaves nothing else', async () => {
    let disk: FakeDisk | undefined
    server.onCall = (call) => {
      if (call === 'POST image') [disk] = server.disks.values()
    }
    expect(await upload()).toEqual({ end: 'done', hasImage: true, leftovers: [] })
    expect(statuses).toEqual(allComplete)
    expect(server.disks.size).toBe(0)
    expect(server.snapshots.size).toBe(0)
    expect(server.images).toEqual([
      {
        name: 'alpine',
        description: 'Small',
        os: 'Alpine',
        version: '3.22',
        source: { type: 'snapshot', id: expect.stringMatching(/^id-of-tmp-snapshot-\d{1,8}$/) },
      },
    ])
    expect(disk).toMatchObject({ size: GIB, blockSize: 512 })
    expect(disk?.name).toMatch(/^tmp-for-image-\d{1,8}$/)
    // The first chunk is blank.
    expect(disk?.written.toSorted((one, other) => one - other)).toEqual([
      CHUNK_SIZE,
      2 * CHUNK_SIZE,
      3 * CHUNK_SIZE,
    ])
    expect(progress.at(-1)).toBe(4)
  })

  it('goes through the steps in their order', async () => {
    await upload()
    const steps = server.calls.filter((call) => call !== 'POST disk/bulk-write')
    expect(steps).toEqual([
      'POST disk',
      'GET disk',
      'POST disk/bulk-write-start',
      'POST disk/bulk-write-stop',
      'POST disk/finalize',
      'GET disk',
      'GET disk',
      'GET snapshot',
      'POST image',
      'DELETE snapshot',
      'DELETE disk',
    ])
  })
})

describe('an upload that fails', () => {
  const broken = () => failure(500, 'Internal')

  it.each<[UploadStep, string]>([
    ['createDisk', 'POST disk'],
    ['startImport', 'POST disk/bulk-write-start'],
    ['stopImport', 'POST disk/bulk-write-stop'],
    ['finalize', 'POST disk/finalize'],
    ['finalize', 'GET snapshot'],
    ['removeTemporary', 'DELETE snapshot'],
    ['removeTemporary', 'DELETE disk'],
  ])('at %s (%s) marks that step and removes what it made', async (step, call) => {
    server.refusals[call] = broken
    const hasImage = step === 'removeTemporary'
    expect(await upload()).toEqual({ end: 'failed', hasImage, leftovers: [] })
    expect(statuses[step]).toBe('error')
    expect(Object.values(statuses).filter((status) => status === 'error')).toHaveLength(1)
    expect(failures).toEqual([{ step, message: 'No Internal', hasImage, keptSnapshot: undefined }])
    expect(server.disks.size).toBe(0)
    expect(server.snapshots.size).toBe(0)
    expect(server.images).toHaveLength(hasImage ? 1 : 0)
  })

  it('keeps the snapshot when only the image could not be made', async () => {
    server.refusals['POST image'] = () =>
      Response.json(
        { error_code: 'ObjectAlreadyExists', message: 'already exists: project-image "alpine"' },
        { status: 400 },
      )
    expect(await upload()).toEqual({ end: 'failed', hasImage: false, leftovers: [] })
    const [kept] = server.snapshots.keys()
    expect(failures).toEqual([
      {
        step: 'createImage',
        message: 'Image name already exists',
        hasImage: false,
        keptSnapshot: kept,
      },
    ])
    expect(server.disks.size).toBe(0)
  })

  it('finds the disk that was made although no answer came', async () => {
    const { answer } = server
    configureTransport({
      fetch: async (url, init) => {
        const answered = await answer(url, init)
        return server.calls.at(-1) === 'POST disk' ? unreachable() : answered
      },
    })
    expect((await upload()).end).toBe('failed')
    expect(server.calls).toContain('DELETE disk')
    expect(server.disks.size).toBe(0)
  })

  it('names what it could not remove', async () => {
    server.refusals['POST disk/finalize'] = broken
    server.refusals['DELETE disk'] = broken
    const { leftovers } = await upload()
    expect(leftovers).toEqual([`disk ${[...server.disks.values()][0]?.name}`])
  })
})

describe('an upload whose chunk is lost for good', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('fails at that step, takes the disk out of import mode and removes it', async () => {
    const { answer } = server
    configureTransport({
      fetch: (url, init) =>
        String(init.body).includes(`"offset":${CHUNK_SIZE},`) ? unreachable() : answer(url, init),
    })
    const ended = upload()
    await vi.waitFor(() => expect(statuses['sendFile']).toBe('running'))
    const isOver = vi.fn()
    void ended.then(isOver)
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000)
      expect(isOver).toHaveBeenCalled()
    })
    expect((await ended).end).toBe('failed')
    expect(statuses['sendFile']).toBe('error')
    expect(server.calls.slice(-5)).toEqual([
      'POST disk/bulk-write-stop',
      'POST disk/finalize',
      'GET disk',
      'GET disk',
      'DELETE disk',
    ])
    expect(server.disks.size).toBe(0)
  })
})

describe('an upload that is cancelled', () => {
  it.each<UploadStep>(['createDisk', 'startImport', 'sendFile', 'stopImport', 'finalize'])(
    'during %s leaves nothing and marks nothing as failed',
    async (step) => {
      const cancel = new AbortController()
      const outcome = await upload(cancel.signal, (running) => {
        if (running === step) cancel.abort()
      })
      expect(outcome).toEqual({ end: 'cancelled', hasImage: false, leftovers: [] })
      expect(Object.values(statuses)).not.toContain('error')
      expect(failures).toEqual([])
      expect(server.disks.size).toBe(0)
      expect(server.snapshots.size).toBe(0)
      expect(server.images).toEqual([])
    },
  )

  it('while the image is being made says that the image exists', async () => {
    const cancel = new AbortController()
    const outcome = await upload(cancel.signal, (step) => {
      if (step === 'createImage') cancel.abort()
    })
    expect(outcome).toEqual({ end: 'cancelled', hasImage: true, leftovers: [] })
    expect(server.images).toHaveLength(1)
    expect(server.disks.size).toBe(0)
    expect(server.snapshots.size).toBe(0)
  })

  it('can be started again under other names', async () => {
    const cancel = new AbortController()
    cancel.abort()
    await upload(cancel.signal)
    expect(server.calls).toEqual([])
    expect((await upload()).end).toBe('done')
  })
})
