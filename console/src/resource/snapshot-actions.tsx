import { HardDrive, ImagePlus } from 'lucide-react'

import { diskCreate, imageCreate, snapshotDelete, snapshotList } from '~/api/generated/operations'
import type { Snapshot } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction, deleteAction } from '~/app/resource-actions'
import * as text from '~/messages/snapshot'

import { newDiskPath } from './disk-source-search'
import { labelsAction } from './labels-action'

/** The actions of a snapshot. `leave` leaves a page that shows only this snapshot, once it is deleted. */
export const snapshotActions = (
  { id, name, state }: Snapshot,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] => [
  {
    id: `create-disk-${id}`,
    label: text.createDiskLabel,
    icon: HardDrive,
    // A disk waits for a snapshot in creation.
    disabledReason: state === 'ready' || state === 'creating' ? undefined : text.notUsableError,
    needs: diskCreate,
    href: newDiskPath(project, { snapshot: id }),
  },
  {
    id: `create-image-${id}`,
    label: text.createImageLabel,
    icon: ImagePlus,
    needs: imageCreate,
    href: `/projects/${project}/snapshots/${name}/images-new`,
  },
  labelsAction({ kind: 'snapshot', id, name, project }, snapshotDelete),
  activityAction({ kind: 'snapshot', id, name }),
  codeAction(id, { kind: 'snapshot', project, name }),
  deleteAction(id, {
    operation: snapshotDelete,
    resource: 'snapshot',
    input: { path: { snapshot: id } },
    label: name,
    leave,
    refreshes: [snapshotList],
    several: { kind: 'snapshot_delete', name, targetId: id, project },
  }),
]
