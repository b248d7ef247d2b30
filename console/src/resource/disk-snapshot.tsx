import { Camera } from 'lucide-react'

import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import {
  diskList,
  diskView,
  instanceDiskList,
  snapshotCreate,
  snapshotList,
} from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { generateName } from '~/lib/generate-name'
import * as text from '~/messages/disk'
import { toastFailure } from '~/ui/failure-toast'
import { toast } from '~/ui/toast'

import { beginWork } from './background-work'
import { diskSnapshotRefusal } from './disk-state'
import { snapshotCreatedToast } from './snapshot-toast'

async function takeSnapshot(disk: string, project: string): Promise<void> {
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

/** Creates a snapshot with a generated name, without a confirmation. */
export function diskSnapshotAction({ id, name, state }: Disk, project: string): Action {
  return {
    id: `disk-snapshot-${id}`,
    label: text.snapshotLabel,
    icon: Camera,
    disabledReason: diskSnapshotRefusal({ state }),
    needs: snapshotCreate,
    perform: () => void takeSnapshot(name, project),
  }
}
