import { call, callForOutcome } from '~/api/call'
import type { Outcome } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  diskBulkWriteImport,
  diskBulkWriteImportStart,
  diskBulkWriteImportStop,
  diskCreate,
  diskDelete,
  diskFinalizeImport,
  diskList,
  diskView,
  imageCreate,
  snapshotDelete,
  snapshotList,
  snapshotView,
} from '~/api/generated/operations'
import type { BlockSize, Disk } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { toBase64 } from '~/lib/base64'
import { GIB } from '~/lib/units'
import * as text from '~/messages/image'

import { refreshImages } from './image-actions'
import { pause, sendChunks } from './image-chunks'

/** The steps of an upload, in their order. */
export const UPLOAD_STEPS = [
  { id: 'createDisk', label: text.createDiskStepLabel },
  { id: 'startImport', label: text.startImportStepLabel },
  { id: 'sendFile', label: text.sendFileStepLabel },
  { id: 'stopImport', label: text.stopImportStepLabel },
  { id: 'finalize', label: text.finalizeStepLabel },
  { id: 'createImage', label: text.createImageStepLabel },
  { id: 'removeTemporary', label: text.removeTemporaryStepLabel },
] as const

export type UploadStep = (typeof UPLOAD_STEPS)[number]['id']

export type StepStatus = 'ready' | 'running' | 'complete' | 'error'

/** The file and the properties of the new image. */
export interface UploadRequest {
  /** Name of the project. */
  project: string
  name: string
  description: string
  os: string
  version: string
  /** Bytes. */
  blockSize: BlockSize
  file: File
}

export interface UploadEvents {
  onStep: (step: UploadStep, status: StepStatus) => void
  /** Called with the number of finished chunks. */
  onProgress: (done: number) => void
  /** Called before the cleanup. */
  onFailure: (failure: UploadFailure) => void
}

/** The error of an upload, and what exists in spite of it. */
export interface UploadFailure {
  step: UploadStep
  message: string
  /** The image exists. Only the removal of temporary resources failed. */
  hasImage: boolean
  /** The snapshot with the content of the file. It is kept if only the creation of the image failed. */
  keptSnapshot?: string
}

/** The outcome of an upload, after the cleanup. */
export interface UploadOutcome {
  end: 'done' | 'failed' | 'cancelled'
  /** The image exists, which is possible even after an error or a cancellation. */
  hasImage: boolean
  /** Descriptions of temporary resources that could not be removed. */
  leftovers: string[]
}

/** The temporary resources of an upload, as far as known. */
interface Temporary {
  diskName: string
  diskId?: string
  /** The request to create the disk was not answered, so it may exist. */
  isDiskInDoubt?: boolean
  snapshotName: string
  snapshotId?: string
  /** The request to create the snapshot was sent. */
  isSnapshotInDoubt?: boolean
}

/** Thrown between two steps after a cancellation. */
class Cancelled extends Error {}

const randomNumber = () => Math.floor(Math.random() * 10 ** 8)

/** In the preview, the names of some images make requests for the disk fail. For this, the disk gets the name of the image. */
const temporaryDiskName = (image: string) =>
  import.meta.env.VITE_PREVIEW && image.endsWith('-500') ? image : `tmp-for-image-${randomNumber()}`

/** Milliseconds between two reads of a disk in transition, and the maximum number of reads. */
const POLL_PAUSE = 500
const MAX_POLLS = 600

/**
 * Creates an image from a file: writes the file to a temporary disk, creates a snapshot of it, creates the image from the snapshot and
 * removes the other two. The temporary resources are also removed after an error or a cancellation.
 *
 * The signal aborts the transfer of the file at once. Every other request is completed, because otherwise its result could not be
 * removed.
 */
export async function uploadImage(
  request: UploadRequest,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  const temporary: Temporary = {
    diskName: temporaryDiskName(request.name),
    snapshotName: `tmp-snapshot-${randomNumber()}`,
  }
  const progress = { step: UPLOAD_STEPS[0].id as UploadStep, hasImage: false }
  const run = async (step: UploadStep, work: () => Promise<unknown>) => {
    if (signal.aborted) throw new Cancelled()
    progress.step = step
    events.onStep(step, 'running')
    await work()
    events.onStep(step, 'complete')
  }

  try {
    await runSteps(request, temporary, run, events, signal, () => {
      progress.hasImage = true
    })
    return { end: 'done', hasImage: true, leftovers: [] }
  } catch (error) {
    const { step, hasImage } = progress
    const isCancelled = signal.aborted
    const keptSnapshot =
      !isCancelled && step === 'createImage' && !hasImage ? temporary.snapshotName : undefined
    if (!isCancelled) {
      events.onStep(step, 'error')
      events.onFailure({ step, message: messageOf(error), hasImage, keptSnapshot })
    }
    const leftovers = await cleanUp(temporary, request.project, keptSnapshot !== undefined)
    return { end: isCancelled ? 'cancelled' : 'failed', hasImage, leftovers }
  } finally {
    await invalidate(diskList, snapshotList)
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : text.unknownUploadError

async function runSteps(
  request: UploadRequest,
  temporary: Temporary,
  run: (step: UploadStep, work: () => Promise<unknown>) => Promise<void>,
  events: UploadEvents,
  signal: AbortSignal,
  onImage: () => void,
): Promise<void> {
  const { project, name, description, os, version, blockSize, file } = request
  await run('createDisk', () => createDisk(request, temporary))
  const path = { disk: temporary.diskId ?? '' }
  await run('startImport', () => call(diskBulkWriteImportStart, { path }))
  await run('sendFile', () =>
    sendChunks({
      file,
      blockSize,
      signal,
      onProgress: events.onProgress,
      send: ({ offset, bytes }, chunkSignal) =>
        call(
          diskBulkWriteImport,
          { path, body: { offset, base64EncodedData: toBase64(bytes) } },
          { signal: chunkSignal },
        ),
    }),
  )
  await run('stopImport', () => call(diskBulkWriteImportStop, { path }))
  await run('finalize', async () => {
    const { snapshotName } = temporary
    temporary.isSnapshotInDoubt = true
    await call(diskFinalizeImport, { path, body: { snapshotName } })
    const disk = await settled(await call(diskView, { path }), 'finalizing')
    if (disk.state.state !== 'detached') throw new Error(text.snapshotError)
    const view = { path: { snapshot: snapshotName }, query: { project } }
    temporary.snapshotId = (await call(snapshotView, view)).id
  })
  const snapshotId = temporary.snapshotId ?? ''
  await run('createImage', async () => {
    const source = { type: 'snapshot', id: snapshotId } as const
    await call(imageCreate, {
      query: { project },
      body: { name, description, os, version, source },
    })
    onImage()
    await refreshImages()
  })
  await run('removeTemporary', async () => {
    await call(snapshotDelete, { path: { snapshot: snapshotId } })
    temporary.snapshotId = undefined
    temporary.isSnapshotInDoubt = false
    await call(diskDelete, { path })
    temporary.diskId = undefined
  })
}

/** Creates the disk that the file is written to. Its size is that of the file, rounded up to whole GiB. */
async function createDisk(request: UploadRequest, temporary: Temporary): Promise<void> {
  const { project, name, blockSize, file } = request
  try {
    const disk = await call(diskCreate, {
      query: { project },
      body: {
        name: temporary.diskName,
        description: text.temporaryDiskText(name),
        size: Math.ceil(file.size / GIB) * GIB,
        diskSource: { type: 'importing_blocks', blockSize },
      },
    })
    temporary.diskId = disk.id
    await settled(disk, 'creating')
  } catch (error) {
    temporary.isDiskInDoubt = error instanceof ApiError && error.statusCode === undefined
    throw error
  }
}

/** Waits until the disk has left a transitional state. */
async function settled(disk: Disk, passing: Disk['state']['state']): Promise<Disk> {
  let current = disk
  for (let poll = 0; current.state.state === passing; poll += 1) {
    if (poll === MAX_POLLS) throw new Error(text.diskStuckError(disk.name, passing))
    if (poll > 0) await pause(POLL_PAUSE)
    current = await call(diskView, { path: { disk: disk.id } })
  }
  return current
}

/** Removes the temporary resources of an upload. Returns the ones that could not be removed, to be removed manually. */
async function cleanUp(
  temporary: Temporary,
  project: string,
  keepsSnapshot: boolean,
): Promise<string[]> {
  const leftovers: string[] = []
  const attempt = async (leftover: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch {
      leftovers.push(leftover)
    }
  }
  // A snapshot cannot be deleted during its creation.
  const disk = await foundDisk(temporary, project).catch(() => undefined)
  if (disk) await settled(disk, 'finalizing').catch(() => undefined)
  if (!keepsSnapshot) {
    await attempt(text.leftoverSnapshotText(temporary.snapshotName), () =>
      removeSnapshot(temporary, project),
    )
  }
  await attempt(text.leftoverDiskText(temporary.diskName), () => removeDisk(temporary, project))
  return leftovers
}

/** The result of a call, or `undefined` if the resource was not found. */
async function orMissing<T>(calling: Promise<Outcome<T>>): Promise<T | undefined> {
  const { type, data } = await calling
  if (type === 'success') return data
  if (data.statusCode === 404) return undefined
  throw new ApiError(data)
}

async function removeSnapshot(temporary: Temporary, project: string): Promise<void> {
  const { snapshotName, isSnapshotInDoubt } = temporary
  let { snapshotId } = temporary
  if (!snapshotId && isSnapshotInDoubt) {
    const view = { path: { snapshot: snapshotName }, query: { project } }
    snapshotId = (await orMissing(callForOutcome(snapshotView, view)))?.id
  }
  if (snapshotId) {
    await orMissing(callForOutcome(snapshotDelete, { path: { snapshot: snapshotId } }))
  }
}

/** The current state of the disk, if it was created. */
async function foundDisk(temporary: Temporary, project: string): Promise<Disk | undefined> {
  const { diskId, diskName, isDiskInDoubt } = temporary
  if (!diskId && !isDiskInDoubt) return undefined
  const view = diskId
    ? { path: { disk: diskId } }
    : { path: { disk: diskName }, query: { project } }
  return orMissing(callForOutcome(diskView, view))
}

async function removeDisk(temporary: Temporary, project: string): Promise<void> {
  const found = await foundDisk(temporary, project)
  if (!found) return
  const disk = await settled(found, 'finalizing')
  const path = { disk: disk.id }
  const isWritten = disk.state.state === 'importing_from_bulk_writes'
  if (isWritten) await call(diskBulkWriteImportStop, { path })
  if (isWritten || disk.state.state === 'import_ready') {
    await call(diskFinalizeImport, { path, body: {} })
    await settled(await call(diskView, { path }), 'finalizing')
  }
  await orMissing(callForOutcome(diskDelete, { path }))
}
