import { callForOutcome } from '~/api/call'
import { imageView } from '~/api/generated/operations'
import * as text from '~/messages/image-resume'

import { foundDisk, orMissing, settled } from './image-upload-cleanup'
import type { UploadRecord } from './image-upload-record'
import type { UploadStep } from './image-upload-steps'

/** Where an interrupted upload goes on. */
export interface Resumption {
  step: UploadStep
  /** The disk is being finalized, or was. */
  isFinalized?: boolean
  /** The image exists. */
  hasImage?: boolean
}

/** Whether the file is needed to go on with an upload. */
export const needsFile = ({ step }: Pick<UploadRecord, 'step'>): boolean =>
  step === 'createDisk' || step === 'startImport' || step === 'sendFile'

/**
 * Finds out where an interrupted upload has to go on, from the state of its disk: the answer to the last request may have been lost. Fills in
 * what is found of the temporary resources.
 *
 * @throws an error for people if it cannot go on.
 */
export async function findResumption(record: UploadRecord): Promise<Resumption> {
  const { step, temporary, project } = record
  if (step === 'removeTemporary') return { step, hasImage: true }
  if (step === 'createImage') {
    return (await hasImage(record)) ? { step: 'removeTemporary', hasImage: true } : { step }
  }
  // The request to create the disk may have been sent.
  if (step === 'createDisk') temporary.isDiskInDoubt = true
  const found = await foundDisk(temporary, project)
  if (!found) {
    if (step === 'createDisk') return { step }
    throw new Error(text.diskGoneError)
  }
  temporary.diskId = found.id
  temporary.timeDiskCreated = found.timeCreated.toISOString()
  const disk = await settled(found, 'creating')
  const isSending = needsFile(record)
  switch (disk.state.state) {
    case 'import_ready':
      return { step: isSending ? 'startImport' : 'finalize' }
    case 'importing_from_bulk_writes':
      return { step: isSending ? 'sendFile' : 'stopImport' }
    case 'finalizing':
    case 'detached':
      if (step === 'finalize') return { step, isFinalized: true }
      break
    default:
  }
  throw new Error(text.diskChangedError)
}

/** Whether the image was created, although the answer was lost. An image of that name that is older than the disk is another one. */
async function hasImage({ project, name, os, version, temporary }: UploadRecord): Promise<boolean> {
  const image = await orMissing(
    callForOutcome(imageView, { path: { image: name }, query: { project } }),
  )
  if (!image || image.os !== os || image.version !== version) return false
  return +image.timeCreated > Date.parse(temporary.timeDiskCreated ?? '')
}
