/** Uploads of images that were interrupted, and those that go on in the background. */

export const uploadTitle = (image: string, project: string) => `Upload image ${image} in ${project}`
export const interruptedText = (file: string, sent: string, total: string) =>
  `Interrupted: ${sent} of ${total} of ${file} sent`
export const interruptedLaterText = (file: string) => `Interrupted: all of ${file} sent`
export const runningText = (file: string, sent: string, total: string) =>
  `${file}: ${sent} of ${total} sent`
export const checkingText = (file: string) => `Comparing ${file} with what was sent`
export const progressLabel = 'Upload progress'
export const checkLabel = 'Comparison with what was sent'
export const continueLabel = 'Continue'
export const selectFileLabel = (file: string) => `Continue uploading ${file}`
export const selectFileHelp = 'Select the file again. What was sent of it is not sent twice.'
export const cancelLabel = 'Cancel upload'
export const cancelQuestion = 'Cancel the upload? What was sent is deleted.'
export const uploadsLabel = 'Uploads to this project'
export const interruptedLabel = 'An upload was interrupted'
export const failedTitle = (image: string) => `Could not upload image ${image}`
export const otherFileError = (file: string) =>
  `This is not the file whose upload was interrupted. Select ${file} as it was then, or cancel the upload and begin a new one.`
export const otherSizeError = (file: string, size: string) =>
  `This is not the file whose upload was interrupted: ${file} had ${size}. Select that file, or cancel the upload and begin a new one.`
export const otherTabError = 'Another tab works on this upload.'
export const diskGoneError =
  'The temporary disk of this upload was deleted. Cancel the upload and begin a new one.'
export const diskChangedError =
  'The temporary disk of this upload does not take the file any more. Cancel the upload and begin a new one.'
export const otherVersionError =
  'Another version of the console began this upload. Cancel the upload and begin a new one.'
