import { countOf } from '~/lib/text'

// Texts of the screens of project images, and of the form that makes one from a snapshot.

export const blockSizeRemarkTitle = 'Block size might be set incorrectly'
export const bootRemarkTitle = 'This image might not be bootable'
export const progressTitle = 'Image upload progress'
export const notCompleteError = 'The upload is not complete'
export const uploadedLabel = 'Image uploaded successfully'
export const leftoversError = (message: string) =>
  `The image was created, but its temporary resources could not be deleted: ${message}`
export const fromSnapshotLabel = (snapshot: string) => `Create the image from snapshot ${snapshot}`
export const stepWaitingText = 'waiting'
export const stepRunningText = 'in progress'
export const stepCompleteText = 'complete'
export const stepFailedText = 'failed'
export const progressLabel = 'Upload progress'
export const timeLeftText = (minutes: number) => {
  if (minutes < 1) return 'Less than a minute left'
  return minutes < 90
    ? `About ${countOf(minutes, 'minute')} left`
    : `About ${countOf(Math.round(minutes / 60), 'hour')} left`
}
export const canceledToast = (name: string) => (
  <>
    Image <b>{name}</b> was created before the upload was canceled
  </>
)
export const cleanUpFailedTitle = 'Could not clean up after the upload'
export const notDeletedToast = (leftovers: readonly string[]) =>
  `Not deleted: ${leftovers.join(' and ')}. Delete them manually if you do not need them.`
export const listTitle = 'Project Images'
export const tableLabel = 'Project images'
export const uploadButtonLabel = 'Upload image'
export const emptyTitle = 'No images'
export const emptyHelp = 'Create an image to see it here'
export const cancelQuestion = 'Are you sure? Closing the modal will cancel the upload.'
export const fileEmptyError = 'Image file is empty'
export const fileTooLargeError = (max: number) => `Image file can be at most ${max} GiB`
export const nameTakenError = 'Image name already exists'
export const formatText = (
  <>
    Images must be in raw format, uncompressed. Instances can start from a bootable image.{' '}
    <a href="/explorer?operation=image_create" target="_blank" rel="noreferrer">
      Images in the API explorer
    </a>
  </>
)
export const osLabel = 'OS'
export const versionLabel = 'Version'
export const blockSizeLabel = 'Block size (Bytes)'
export const fileLabel = 'Image file'
export const createdToast = (name: string) => (
  <>
    Image <b>{name}</b> created
  </>
)
export const fromSnapshotTitle = 'Create image from snapshot'
export const createButtonLabel = 'Create image'
export const snapshotLabel = 'Snapshot'
export const projectLabel = 'Project'
