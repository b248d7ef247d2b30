import { call, callForOutcome } from '~/api/call'
import type { Outcome } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  diskBulkWriteImportStop,
  diskDelete,
  diskFinalizeImport,
  diskView,
  snapshotDelete,
  snapshotView,
} from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import * as text from '~/messages/image'

import { pause } from './image-chunks'
import type { Temporary } from './image-upload-record'

/** Milliseconds between two reads of a disk in transition, and the maximum number of reads. */
const POLL_PAUSE = 500
const MAX_POLLS = 600

/** Waits until the disk has left a transitional state. */
export async function settled(disk: Disk, passing: Disk['state']['state']): Promise<Disk> {
  let current = disk
  for (let poll = 0; current.state.state === passing; poll += 1) {
    if (poll === MAX_POLLS) throw new Error(text.diskStuckError(disk.name, passing))
    if (poll > 0) await pause(POLL_PAUSE)
    current = await call(diskView, { path: { disk: disk.id } })
  }
  return current
}

/** Removes the temporary resources of an upload. Returns the ones that could not be removed, to be removed manually. */
export async function cleanUp(
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
export async function orMissing<T>(calling: Promise<Outcome<T>>): Promise<T | undefined> {
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
export async function foundDisk(temporary: Temporary, project: string): Promise<Disk | undefined> {
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
