import type { Disk } from '~/api/generated/types.gen'
import * as text from '~/messages/disk'

/** The state of a disk, as named by the API. */
export type DiskStateWord = Disk['state']['state']

/** The actions on a disk that depend on its state. */
export type DiskCapability = 'delete' | 'snapshot' | 'attach' | 'detach' | 'setAsBootDisk'

/** States → allowed actions, as in `docs/rules/console/project-compute.md#disk-actions`. */
const STATES: Record<DiskCapability, readonly DiskStateWord[]> = {
  delete: ['detached', 'faulted'],
  snapshot: ['attached', 'detached'],
  attach: ['creating', 'detached'],
  detach: ['attached'],
  setAsBootDisk: ['attached'],
}

type WithState = { state: { state: DiskStateWord } }

/** Whether the state of the disk allows the action. */
export function diskCan(capability: DiskCapability, disk: WithState) {
  return STATES[capability].includes(disk.state.state)
}

/** Why the disk cannot be deleted now; `undefined` when it can. */
export function diskDeleteRefusal(disk: WithState): string | undefined {
  if (diskCan('delete', disk)) return undefined
  return disk.state.state === 'attached' ? text.deleteAttachedError : text.deleteStateError
}

/** Why no snapshot of the disk can be taken now; `undefined` when it can. */
export function diskSnapshotRefusal(disk: WithState): string | undefined {
  return diskCan('snapshot', disk) ? undefined : text.snapshotStateError
}

/** Why an action that needs an attached disk is not available now; `undefined` when it is. */
export function diskAttachedRefusal(
  capability: 'detach' | 'setAsBootDisk',
  disk: WithState,
): string | undefined {
  if (diskCan(capability, disk)) return undefined
  return capability === 'detach' ? text.detachStateError : text.bootDiskStateError
}

/** The instance that the disk is attached to, or is being attached to or detached from; `undefined` for a free disk. */
export function diskInstanceId(disk: Pick<Disk, 'state'>): string | undefined {
  return 'instance' in disk.state ? disk.state.instance : undefined
}

const IMPORTING: readonly DiskStateWord[] = ['import_ready', 'importing_from_bulk_writes']

/** Whether an image is being imported into the disk, or can be. */
export function isImporting(disk: WithState): boolean {
  return IMPORTING.includes(disk.state.state)
}
