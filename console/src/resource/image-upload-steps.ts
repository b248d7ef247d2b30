import * as text from '~/messages/image'

/** The steps of an upload, in their order. */
export const UPLOAD_STEPS = [
  { id: 'createDisk', label: text.createDiskStepLabel },
  { id: 'startImport', label: text.startImportStepLabel },
  { id: 'sendFile', label: text.sendFileStepLabel },
  { id: 'stopImport', label: text.stopImportStepLabel },
  { id: 'finalize', label: text.finalizeStepLabel },
  { id: 'createImage', label: text.createImageStepLabel },
  { id: 'removeTemporary', label: text.removeTemporaryStepLabel },
] as const

export type UploadStep = (typeof UPLOAD_STEPS)[number]['id']

export type StepStatus = 'ready' | 'running' | 'complete' | 'error'

/** The place of a step among all. */
export const placeOf = (step: UploadStep): number => UPLOAD_STEPS.findIndex(({ id }) => id === step)
