import type { ReactNode } from 'react'

/** Texts about images and their upload. */

export const deleteHelp = 'Disks created from it are not affected.'
export const promoteTitle = 'Promote image'
export const promoteQuestion = (name: string) => (
  <>
    Are you sure you want to promote <b>{name}</b>?
  </>
)
export const promoteHelp =
  'Once an image has been promoted it is visible to all projects of the silo.'
export const promoteLabel = 'Promote'
export const promoteErrorTitle = 'Error'
export const viewSiloImagesLabel = 'View silo images'
export const uploadTimeoutError = 'The server took too long to answer.'
export const sizeColumnLabel = 'size'
export const viewProjectImagesLabel = (project: string) => `View images in ${project}`
export const demoteTitle = 'Demote image'
export const demoteLabel = 'Demote'
export const demoteHelp =
  'Once an image has been demoted it is visible only in the project it goes to. Disks created from it are not affected.'
export const demoteProjectPlaceholder = 'Select project for image'
export const docsTitle = 'Learn about images'
export const docsHelp =
  'New disks can be created from an image. Upload an image to a project, or create one from a snapshot. Promote an image to the silo to make it visible in every project.'
export const apiLabel = 'Images in the API explorer'
export const efiBlockSizeText = (found: number, set: number) =>
  `An EFI partition table was found at byte ${found}, which indicates a block size of ${found} bytes. The block size is set to ${set}.`
export const cdBlockSizeText = (expected: number, set: number) =>
  `This looks like a CD or DVD image, which normally has a block size of ${expected} bytes. The block size is set to ${set}.`
export const noBootMarkerText =
  'No boot marker was found: no EFI partition table at byte 512, 2048, or 4096, and no CD signature.'
export const compressedText = 'The file might be compressed. Only raw images are supported.'
export const projectLabel = 'Project'
export const noProjectsText = 'No projects'
export const projectPlaceholder = 'Select a project'
export const imageLabel = 'Image'
export const imagePlaceholder = 'Select an image'
export const noProjectSelectedText = 'Select a project first'
export const noImagesText = 'No items'
export const createDiskStepLabel = 'Create temporary disk'
export const startImportStepLabel = 'Put disk in import mode'
export const sendFileStepLabel = 'Upload image file'
export const stopImportStepLabel = 'Get disk out of import mode'
export const finalizeStepLabel = 'Finalize disk and create snapshot'
export const createImageStepLabel = 'Create image'
export const removeTemporaryStepLabel = 'Delete disk and snapshot'
export const unknownUploadError = 'Unknown error'
export const snapshotError = 'Could not create a snapshot of the disk.'
export const temporaryDiskText = (image: string) =>
  `Temporary disk for the upload of image ${image}`
export const diskStuckError = (disk: string, state: string) =>
  `Disk ${disk} is stuck in state ${state}.`
export const leftoverSnapshotText = (name: string) => `snapshot ${name}`
export const leftoverDiskText = (name: string) => `disk ${name}`
export const projectImageTitle = 'Project image'
export const siloImageTitle = 'Silo image'
export const sharedWithLabel = 'Shared with'
export const sharedWithProjectLabel = 'Project'
export const sharedWithSiloLabel = 'Silo'
export const osLabel = 'OS'
export const versionLabel = 'Version'
export const deletedToast = (name: string) => (
  <>
    Image <b>{name}</b> deleted
  </>
)
export const promotedToast = (name: string) => (
  <>
    Image <b>{name}</b> promoted
  </>
)
export const demotedToast = (name: string) => (
  <>
    Image <b>{name}</b> demoted
  </>
)
export const demotingText = (name: ReactNode) => <>Demoting: {name}</>
export const createDiskLabel = 'Create disk'
export const createInstanceLabel = 'Create instance'
export const createFromTitle = {
  disk: 'Create a disk from the image',
  instance: 'Create an instance from the image',
}
export const createFromHelp = {
  disk: 'Select the project of the new disk. The form for it opens with this image selected.',
  instance:
    'Select the project of the new instance. The form for it opens with this image selected.',
}
export const imageActionsLabel = 'Image actions'
export const imageActionsGroupLabel = (name: string) => `Image '${name}'`
export const goToImageLabel = 'Go to image'
export const blockSizeLabel = 'Block size'
export const digestLabel = 'Digest'
export const openPageLabel = 'Open the page of the image'
export const viewDetailsLabel = 'View details'
