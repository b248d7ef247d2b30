import { call, callForOutcome } from '~/api/call'
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
import { invalidate } from '~/api/query'
import { toBase64 } from '~/lib/base64'
import { GIB } from '~/lib/units'
import * as text from '~/messages/image'

import { refreshImages } from './image-actions'
import { sendChunks } from './image-chunks'
import type { SentChunks } from './image-sent-chunks'
import { cleanUp, orMissing, settled } from './image-upload-cleanup'
import type { ImageProperties, Temporary } from './image-upload-record'
import type { Resumption } from './image-upload-resumption'
import { placeOf } from './image-upload-steps'
import type { StepStatus, UploadStep } from './image-upload-steps'

/** The file and the properties of the new image. */
export interface UploadRequest extends ImageProperties {
  /** Absent if all of it was sent before the upload was interrupted. */
  file?: File
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

/** Keeps how far an upload is, so that it can go on after the tab was closed. */
export interface UploadJournal {
  /** Changes while the upload goes on. */
  readonly temporary: Temporary
  /** Where to go on; absent at the beginning. */
  readonly resumed?: Resumption
  readonly sent: Pick<SentChunks, 'has' | 'count'>
  /** A step is begun. */
  onStep: (step: UploadStep) => void
  /** A chunk is on the disk. */
  onChunk: (index: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** The temporary resources are other ones now. */
  onTemporary: () => void
  /** The upload has ended, and nothing is left that could be removed later. */
  onEnd: () => void
}

/** Thrown between two steps after a cancellation. */
class Cancelled extends Error {}

const randomNumber = () => Math.floor(Math.random() * 10 ** 8)

/** The temporary resources of a new upload, none of which exists. */
export const newTemporary = (image: string): Temporary => ({
  diskName: temporaryDiskName(image),
  snapshotName: `tmp-snapshot-${randomNumber()}`,
})

/** In the preview, the names of some images make requests for the disk fail. For this, the disk gets the name of the image. */
const temporaryDiskName = (image: string) =>
  import.meta.env.VITE_PREVIEW && image.endsWith('-500') ? image : `tmp-for-image-${randomNumber()}`

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
  journal?: UploadJournal,
): Promise<UploadOutcome> {
  const temporary = journal?.temporary ?? newTemporary(request.name)
  const { step: begin = 'createDisk', hasImage = false } = journal?.resumed ?? {}
  const progress = { step: begin, hasImage }
  const run = async (step: UploadStep, work: () => Promise<unknown>) => {
    if (signal.aborted) throw new Cancelled()
    if (placeOf(step) >= placeOf(begin)) {
      progress.step = step
      events.onStep(step, 'running')
      journal?.onStep(step)
      await work()
      journal?.onTemporary()
    }
    events.onStep(step, 'complete')
  }

  try {
    await runSteps({ request, temporary, run, events, signal, journal }, () => {
      progress.hasImage = true
    })
    journal?.onEnd()
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
    // What could not be removed can be removed later, and an upload that lost its connection can go on.
    if (leftovers.length === 0) journal?.onEnd()
    return { end: isCancelled ? 'cancelled' : 'failed', hasImage, leftovers }
  } finally {
    await invalidate(diskList, snapshotList)
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : text.unknownUploadError

interface Run {
  request: UploadRequest
  temporary: Temporary
  run: (step: UploadStep, work: () => Promise<unknown>) => Promise<void>
  events: UploadEvents
  signal: AbortSignal
  journal?: UploadJournal
}

async function runSteps(upload: Run, onImage: () => void): Promise<void> {
  const { request, temporary, run, journal } = upload
  const { project, name, description, os, version } = request
  await run('createDisk', () => createDisk(request, temporary))
  const path = { disk: temporary.diskId ?? '' }
  await run('startImport', () => call(diskBulkWriteImportStart, { path }))
  await run('sendFile', () => sendFile(upload, path))
  await run('stopImport', () => call(diskBulkWriteImportStop, { path }))
  await run('finalize', async () => {
    const { snapshotName } = temporary
    temporary.isSnapshotInDoubt = true
    journal?.onTemporary()
    if (!journal?.resumed?.isFinalized) {
      await call(diskFinalizeImport, { path, body: { snapshotName } })
    }
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
    await orMissing(callForOutcome(snapshotDelete, { path: { snapshot: snapshotId } }))
    temporary.snapshotId = undefined
    temporary.isSnapshotInDoubt = false
    await orMissing(callForOutcome(diskDelete, { path }))
    temporary.diskId = undefined
  })
}

async function sendFile(
  { request: { file, blockSize }, events, signal, journal }: Run,
  path: { disk: string },
): Promise<void> {
  if (!file) throw new Error('the file is needed until all of it was sent')
  await sendChunks({
    file,
    blockSize,
    signal,
    sent: journal?.sent,
    onSent: journal?.onChunk,
    onProgress: events.onProgress,
    send: ({ offset, bytes }, chunkSignal) =>
      call(
        diskBulkWriteImport,
        { path, body: { offset, base64EncodedData: toBase64(bytes) } },
        { signal: chunkSignal },
      ),
  })
}

/** Bytes of the disk that a file is written to, and so of the image: those of the file, rounded up to whole GiB. */
export const temporaryDiskSize = ({ size }: File): number => Math.ceil(size / GIB) * GIB

/** Creates the disk that the file is written to. */
async function createDisk(request: UploadRequest, temporary: Temporary): Promise<void> {
  const { project, name, blockSize, file } = request
  if (!file) throw new Error('the file is needed for the size of the disk')
  try {
    const disk = await call(diskCreate, {
      query: { project },
      body: {
        name: temporary.diskName,
        description: text.temporaryDiskText(name),
        size: temporaryDiskSize(file),
        diskSource: { type: 'importing_blocks', blockSize },
      },
    })
    temporary.diskId = disk.id
    temporary.timeDiskCreated = disk.timeCreated.toISOString()
    await settled(disk, 'creating')
  } catch (error) {
    temporary.isDiskInDoubt = error instanceof ApiError && error.statusCode === undefined
    throw error
  }
}
