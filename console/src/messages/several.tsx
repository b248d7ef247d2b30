import type { ReactNode } from 'react'

import { countOf } from '~/lib/text'

/** Actions on several rows of a list. */

const instances = (count: number) => countOf(count, 'instance')
const disks = (count: number) => countOf(count, 'disk')
const snapshots = (count: number) => countOf(count, 'snapshot')
const images = (count: number) => countOf(count, 'image')
const floatingIps = (count: number) => countOf(count, 'floating IP')

export const selectedRowsLabel = 'Selected rows'
export const selectedLabel = (count: number) => `${count} selected`
export const clearSelectionLabel = 'Clear selection'

/** The question before something is done to several, and the button that answers it. */
export const severalTitle = {
  instance_start: (count: number) => `Start ${instances(count)}`,
  instance_stop: (count: number) => `Stop ${instances(count)}`,
  instance_reboot: (count: number) => `Reboot ${instances(count)}`,
  instance_delete: (count: number) => `Delete ${instances(count)}`,
  disk_delete: (count: number) => `Delete ${disks(count)}`,
  snapshot_delete: (count: number) => `Delete ${snapshots(count)}`,
  image_promote: (count: number) => `Promote ${images(count)}`,
  image_delete: (count: number) => `Delete ${images(count)}`,
  floating_ip_detach: (count: number) => `Detach ${floatingIps(count)}`,
  floating_ip_delete: (count: number) => `Delete ${floatingIps(count)}`,
}

/** What follows. */
export const severalQuestion: Record<keyof typeof severalTitle, string> = {
  instance_start: 'The instances boot from their boot disks.',
  instance_stop: 'What runs in the instances ends. They keep their disks and addresses.',
  instance_reboot: 'What runs in the instances ends, and they boot again.',
  instance_delete:
    'The instances are gone for good. Their disks and floating IPs are detached and go on existing.',
  disk_delete: 'The data of the disks cannot be recovered.',
  snapshot_delete: 'The data of the snapshots cannot be recovered.',
  image_promote: 'The images become available to all projects of the silo.',
  image_delete: 'The images cannot be recovered. Disks made from them go on existing.',
  floating_ip_detach: 'The instances cannot be reached by these addresses any more.',
  floating_ip_delete: 'The addresses go back to their pools, and others may get them.',
}

export const doneToast: Record<keyof typeof severalTitle, (count: number) => string> = {
  instance_start: (count) => `Starting ${instances(count)}`,
  instance_stop: (count) => `Stopping ${instances(count)}`,
  instance_reboot: (count) => `Rebooting ${instances(count)}`,
  instance_delete: (count) => `Deleting ${instances(count)}`,
  disk_delete: (count) => `${disks(count)} deleted`,
  snapshot_delete: (count) => `${snapshots(count)} deleted`,
  image_promote: (count) => `${images(count)} promoted`,
  image_delete: (count) => `${images(count)} deleted`,
  floating_ip_detach: (count) => `${floatingIps(count)} detached`,
  floating_ip_delete: (count) => `${floatingIps(count)} deleted`,
}

export const moreNamesText = (count: number) => `and ${count} more`
export const progressText = (done: number, total: number) => `${done} of ${total} done`
export const canceledText = (done: number, total: number) => `Canceled after ${done} of ${total}`
export const failedTitle = (failed: number, total: number) => `Failed: ${failed} of ${total}`
export const notPossibleError = (name: string) => `This cannot be done to ${name}.`
export const refusedForError = (name: string, reason: ReactNode) => (
  <>
    {name}: {reason}
  </>
)
