import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  diskList,
  diskView,
  instanceDiskList,
  snapshotCreate,
  snapshotList,
} from '~/api/generated/operations'
import { invalidate } from '~/api/query'
import { generateName } from '~/lib/generate-name'
import * as text from '~/messages/disk'
import { toastFailure } from '~/ui/failure-toast'
import { toast } from '~/ui/toast'

import { beginWork } from './begin-work'
import { snapshotCreatedToast } from './snapshot-toast'

/** Creates a snapshot of a disk with a generated name, and shows what comes of it. */
export async function takeSnapshot(disk: string, project: string): Promise<void> {
  toast({
    content: text.snapshotStartedToast(disk),
  })
  try {
    const body = { name: generateName(disk), description: '', disk }
    const { id, name, state } = await call(snapshotCreate, { query: { project }, body })
    if (state === 'creating') beginWork({ kind: 'snapshot', id, name, project })
    await invalidate(snapshotList, diskList, diskView, instanceDiskList)
    snapshotCreatedToast(name)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await toastFailure(error, text.snapshotErrorTitle)
  }
}
