import { useSyncExternalStore } from 'react'

import { diskList, snapshotList } from '~/api/generated/operations'
import { invalidate } from '~/api/query'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/image-resume'
import * as screens from '~/messages/image-screens'
import { failureMessage } from '~/ui/failure-message'
import { toast } from '~/ui/toast'

import { CHUNK_SIZE } from './image-chunks'
import { SentChunks } from './image-sent-chunks'
import { uploadImage } from './image-upload'
import type { UploadEvents, UploadOutcome, UploadRequest } from './image-upload'
import { cleanUp } from './image-upload-cleanup'
import { StoredJournal } from './image-upload-journal'
import {
  canKeepUploads,
  onUploadMessage,
  readUpload,
  removeUpload,
  tellUploads,
  uploadLock,
} from './image-upload-record'
import type { UploadRecord } from './image-upload-record'
import { findResumption, needsFile } from './image-upload-resumption'

/**
 * Uploads an image as {@link uploadImage} does, and keeps how far it is, so that it can go on after the tab was closed.
 *
 * @param person id of the signed-in user.
 * @param signal cancels it. So does another tab.
 */
export async function startUpload(
  request: UploadRequest & { file: File },
  person: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  if (!canKeepUploads()) return uploadImage(request, events, signal)
  const journal = StoredJournal.begin(request, person)
  return navigator.locks.request(uploadLock(journal.id), () =>
    cancelable(journal.id, signal, (either) => uploadImage(request, events, either, journal)),
  )
}

/** Runs work whose signal aborts with the outer one, or when a tab cancels the upload. */
async function cancelable<T>(
  id: string,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController()
  const stop = () => inner.abort(outer?.reason)
  outer?.addEventListener('abort', stop, { once: true })
  if (outer?.aborted) stop()
  const close = onUploadMessage(
    (message) => message.type === 'cancel' && message.id === id && inner.abort(),
  )
  try {
    return await work(inner.signal)
  } finally {
    close()
    outer?.removeEventListener('abort', stop)
  }
}

/** What this tab does for an interrupted upload, or why it did not. */
export interface UploadActivity {
  /** How much of what was sent was compared with the file, in percent. */
  checked?: number
  /** Why the upload did not go on. */
  error?: string
  /** What was sent is being deleted. */
  isEnding?: boolean
}

const activities = new Map<string, UploadActivity>()
const listeners = new Set<() => void>()

function setActivity(id: string, activity: UploadActivity | undefined) {
  if (activity) activities.set(id, activity)
  else activities.delete(id)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** What this tab does for an upload. */
export const useUploadActivity = (id: string): UploadActivity | undefined =>
  useSyncExternalStore(subscribe, () => activities.get(id))

/**
 * Goes on with an interrupted upload, in the background of this tab. The file has to be the one whose beginning was sent. That it ends, or why
 * it does not go on, is in its activity and in toasts.
 *
 * @param file may be absent if all of it was sent.
 */
export async function resumeUpload(id: string, file: File | undefined): Promise<void> {
  await alone(id, async (record) => {
    await cancelable(id, undefined, async (signal) => {
      if (file) await checkFile(record, file, signal)
      const journal = StoredJournal.resume(record, await findResumption(record))
      setActivity(id, undefined)
      await finish({ ...record, file }, journal, signal)
    })
  })
}

/** Does something for an upload that no tab works on, and shows why it fails. */
async function alone(id: string, work: (record: UploadRecord) => Promise<void>): Promise<void> {
  try {
    await navigator.locks.request(uploadLock(id), { ifAvailable: true }, async (lock) => {
      const record = readUpload(id)
      if (!lock) throw new Error(text.otherTabError)
      setActivity(id, undefined)
      tellUploads({ type: 'changed' })
      if (record) await work(record)
    })
  } catch (failure) {
    const isCanceled = failure instanceof DOMException && failure.name === 'AbortError'
    setActivity(id, isCanceled ? undefined : { error: failureMessage(failure) })
  }
  tellUploads({ type: 'changed' })
}

/** @throws an error for people if it is another file. */
async function checkFile(record: UploadRecord, file: File, signal: AbortSignal): Promise<void> {
  const { id, blockSize } = record
  const { name, size } = record.file
  if (record.chunkSize !== CHUNK_SIZE) throw new Error(text.otherVersionError)
  if (file.size !== size) throw new Error(text.otherSizeError(name, formatBytes(size)))
  const sent = new SentChunks(id, size)
  setActivity(id, { checked: 0 })
  const isSame = await sent.isIn(file, blockSize, signal, (chunks) => {
    const checked = Math.floor((100 * chunks) / sent.count)
    if (checked !== activities.get(id)?.checked) setActivity(id, { checked })
  })
  if (!isSame) throw new Error(text.otherFileError(name))
}

async function finish(
  request: UploadRequest & { file?: File },
  journal: StoredJournal,
  signal: AbortSignal,
): Promise<void> {
  const warn = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', warn)
  const outcome = await uploadImage(
    request,
    {
      onStep: () => undefined,
      onProgress: () => undefined,
      onFailure: ({ message }) =>
        toast({ variant: 'error', title: text.failedTitle(request.name), content: message }),
    },
    signal,
    journal,
  )
  window.removeEventListener('beforeunload', warn)
  if (outcome.end === 'done' && !signal.aborted) {
    toast({ content: screens.createdToast(request.name) })
  }
  reportEnd(outcome, request.name, signal.aborted)
}

/** Says in toasts what an upload leaves behind that one would not expect. */
export function reportEnd(
  { end, hasImage, leftovers }: UploadOutcome,
  name: string,
  isCanceled: boolean,
): void {
  if (hasImage && isCanceled && end !== 'failed') {
    toast({ variant: 'info', content: screens.canceledToast(name) })
  }
  if (leftovers.length > 0) {
    toast({
      variant: 'error',
      title: screens.cleanUpFailedTitle,
      content: screens.notDeletedToast(leftovers),
    })
  }
}

/** Cancels an upload, wherever it runs, and deletes what was sent. */
export async function cancelUpload(id: string, isRunning: boolean): Promise<void> {
  if (isRunning) {
    tellUploads({ type: 'cancel', id })
    return
  }
  await alone(id, async (record) => {
    setActivity(id, { isEnding: true })
    const { temporary, project, step } = record
    // The answers to the last requests may have been lost.
    temporary.isDiskInDoubt = true
    temporary.isSnapshotInDoubt = !needsFile({ step })
    const leftovers = await cleanUp(temporary, project, false)
    if (leftovers.length > 0) throw new Error(screens.notDeletedToast(leftovers))
    removeUpload(id)
    setActivity(id, undefined)
    await invalidate(diskList, snapshotList)
  })
}
