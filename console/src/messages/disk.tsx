/** Texts about disks. */

export const finishImportTitle = 'Confirm finish import'
export const finishImportQuestion = (name: string) => (
  <>
    Are you sure you want to finish the import into <b>{name}</b>?
  </>
)
export const finishImportHelp =
  'The disk keeps the data written so far and becomes a regular disk. Writes still in progress fail.'
export const finishImportErrorTitle = 'Could not finish import'
export const importFinishedToast = (name: string) => (
  <>
    Import into disk <b>{name}</b> finished
  </>
)
export const finishImportLabel = 'Finish import'
export const deletedToast = (name: string) => (
  <>
    Disk <b>{name}</b> deleted
  </>
)
export const attachTitle = 'Attach disk'
export const attachLabel = 'Attach disk'
export const nameLabel = 'Disk name'
export const diskPlaceholder = 'Select a disk'
export const noDetachedDisksText = 'No detached disks'
export const blankLabel = 'Blank'
export const snapshotLabel = 'Snapshot'
export const imageLabel = 'Image'
export const importLabel = 'Import'
export const createTitle = 'Create disk'
export const nameTakenError = 'Name is already in use'
export const sourceLabel = 'Source'
export const blockSizeLabel = 'Block size (Bytes)'
export const sizeLabel = 'Size'
export const importHelp =
  'The disk waits for a client to write its content through the API. To create an image from a file, upload it on the Images page.'
export const sourceTooLargeError = {
  snapshot: (gib: number) => `Must be as large as selected snapshot (min. ${gib} GiB)`,
  image: (gib: number) => `Must be as large as selected image (min. ${gib} GiB)`,
}
export const snapshotStartedToast = (disk: string) => (
  <>
    Creating snapshot of disk <b>{disk}</b>
  </>
)
export const snapshotErrorTitle = 'Failed to create snapshot'
export const sourceSnapshotLabel = 'Source snapshot'
export const snapshotPlaceholder = 'Select a snapshot'
export const projectImageLabel = 'Project image'
export const siloImageLabel = 'Silo image'
export const sourceImageLabel = 'Source image'
export const imagePlaceholder = 'Select an image'
export const deleteAttachedError = 'Disk must be detached before it can be deleted'
export const deleteStateError = 'Only disks in state detached or faulted can be deleted'
export const snapshotStateError = 'Only disks in state attached or detached can be snapshotted'
export const attachToInstanceLabel = 'Attach to instance'
export const attachToInstanceTitle = 'Attach disk to an instance'
export const attachToInstanceText =
  'The instance must be stopped. The disk can be attached to one instance at a time.'
export const instanceLabel = 'Instance'
export const instancePlaceholder = 'Select an instance'
export const noStoppedInstancesText = 'No stopped instances'
export const attachStateError = 'Only disks in state creating or detached can be attached'
export const instanceUnknownError = 'Open the page of the disk to detach it'
export const detachStateError = 'Only attached disks can be detached'
export const bootDiskStateError = 'Only attached disks can be the boot disk'
export const createdToast = (name: string) => (
  <>
    Disk <b>{name}</b> created
  </>
)
export const attachedToast = (name: string) => (
  <>
    Disk <b>{name}</b> attached
  </>
)
export const attachErrorTitle = 'Could not attach disk'
export const notAttachedToast = (name: string, instance: string, message: string) => (
  <>
    Disk <b>{name}</b> was created, but not attached to <b>{instance}</b>. {message}
  </>
)
export const snapshotDetailText = (created: string, disk: string | undefined, size: string) =>
  disk ? `Created on ${created} from ${disk} / ${size}` : `Created on ${created} / ${size}`
