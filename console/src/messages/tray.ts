import type { BatchItemState, BatchOperation } from '~/api/generated/types.gen'
import { countOf, shortId } from '~/lib/text'

/** The tray: batches and other work that goes on in the background. */

export const trayTitle = 'Background work'
export const trayLabel = (running: number) =>
  running > 0 ? `Background work, ${running} in progress` : 'Background work'
export const failedLabel = 'Something has failed'
export const runningText = (running: number) => `${countOf(running, 'task')} in progress`
export const emptyText = 'Nothing goes on at the moment.'
export const loadErrorTitle = 'Could not load the batches'
export const dismissLabel = 'Clear finished'

export const batchInProjectTitle: Record<
  BatchOperation,
  (count: number, project: string) => string
> = {
  instance_start: (count, project) => `Start ${countOf(count, 'instance')} in ${project}`,
  instance_stop: (count, project) => `Stop ${countOf(count, 'instance')} in ${project}`,
  instance_reboot: (count, project) => `Reboot ${countOf(count, 'instance')} in ${project}`,
  instance_delete: (count, project) => `Delete ${countOf(count, 'instance')} in ${project}`,
  disk_delete: (count, project) => `Delete ${countOf(count, 'disk')} in ${project}`,
  snapshot_delete: (count, project) => `Delete ${countOf(count, 'snapshot')} in ${project}`,
  image_delete: (count, project) => `Delete ${countOf(count, 'image')} in ${project}`,
  floating_ip_delete: (count, project) => `Delete ${countOf(count, 'floating IP')} in ${project}`,
}

type WorkKind = 'snapshot' | 'disk' | 'support_bundle'

export const workTitle: Record<WorkKind, (name: string, project: string) => string> = {
  snapshot: (name, project) => `Take snapshot ${name} in ${project}`,
  disk: (name, project) => `Import disk ${name} in ${project}`,
  support_bundle: (id) => `Collect support bundle ${shortId(id)}`,
}
export const workRunningText = 'In progress'
export const workDoneToast: Record<WorkKind, (name: string) => string> = {
  snapshot: (name) => `Snapshot ${name} is ready`,
  disk: (name) => `Disk ${name} is imported`,
  support_bundle: (id) => `Support bundle ${shortId(id)} is collected`,
}
export const openWorkLabel: Record<WorkKind, string> = {
  snapshot: 'Open snapshot',
  disk: 'Open disk',
  support_bundle: 'Open support bundle',
}
export const dismissWorkLabel = 'Dismiss'
export const snapshotFaultedText =
  'The host of the disk could not take the snapshot. Delete it and take another one. The disk goes on.'
export const diskFaultedText = 'The storage of the disk has failed. It can only be deleted.'
export const bundleFailedText = 'The server gave no reason. Delete it and create another one.'

/** How many of a batch's items are in a state. */
export const itemsText: Record<BatchItemState, (count: number) => string> = {
  succeeded: (count) => `${count} succeeded`,
  failed: (count) => `${count} failed`,
  canceled: (count) => `${count} canceled`,
  queued: (count) => `${count} queued`,
}

export const itemStateLabel: Record<BatchItemState, string> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
  queued: 'Queued',
}

export const progressLabel = 'Progress of the batch'
export const retryLabel = 'Retry'
export const retryErrorTitle = 'Could not retry the batch'
export const cancelErrorTitle = 'Could not cancel the batch'
export const showItemsLabel = 'Show results'
export const hideItemsLabel = 'Hide results'
export const itemsLabel = 'Results'
export const itemsErrorTitle = 'Could not load the results'
export const moreItemsText = (count: number) => `and ${count} more`
