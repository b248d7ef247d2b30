import { useCallback, useEffect, useRef, useState } from 'react'

import * as text from '~/messages/image-screens'
import { chunkCount } from '~/resource/image-chunks'
import { UPLOAD_STEPS, uploadImage } from '~/resource/image-upload'
import type {
  StepStatus,
  UploadFailure,
  UploadOutcome,
  UploadRequest,
  UploadStep,
} from '~/resource/image-upload'
import { toast } from '~/ui/toast'

/** The progress of an upload, as it is shown. */
export interface UploadProgressState {
  file: File
  steps: Record<UploadStep, StepStatus>
  chunksDone: number
  chunksTotal: number
  isDone: boolean
  failure?: UploadFailure
}

const startOf = (file: File): UploadProgressState => ({
  file,
  steps: Object.fromEntries(UPLOAD_STEPS.map(({ id }) => [id, 'ready'])) as Record<
    UploadStep,
    StepStatus
  >,
  chunksDone: 0,
  chunksTotal: chunkCount(file.size),
  isDone: false,
})

/** Reports the outcome in toasts, because the progress may be closed by now. */
function reportEnd(
  { end, hasImage, leftovers }: UploadOutcome,
  name: string,
  isCancelled: boolean,
) {
  if (hasImage && isCancelled && end !== 'failed') {
    toast({
      variant: 'info',
      content: text.canceledToast(name),
    })
  }
  if (leftovers.length > 0) {
    toast({
      variant: 'error',
      title: text.cleanUpFailedTitle,
      content: text.notDeletedToast(leftovers),
    })
  }
}

/** Runs one upload at a time and reports its progress until the progress is closed. Unmounting the component aborts the upload. */
export function useImageUpload() {
  const [progress, setProgress] = useState<UploadProgressState>()
  const [isBusy, setBusy] = useState(false)
  const current = useRef<AbortController>(undefined)

  useEffect(() => () => current.current?.abort(), [])

  const start = useCallback(async (request: UploadRequest) => {
    const run = new AbortController()
    current.current = run
    setBusy(true)
    setProgress(startOf(request.file))
    // Updates that arrive after the progress was closed are ignored.
    const change = (part: (before: UploadProgressState) => Partial<UploadProgressState>) =>
      setProgress((before) => before && { ...before, ...part(before) })
    const outcome = await uploadImage(
      request,
      {
        onStep: (step, status) => change(({ steps }) => ({ steps: { ...steps, [step]: status } })),
        onProgress: (chunksDone) => change(() => ({ chunksDone })),
        onFailure: (failure) => change(() => ({ failure })),
      },
      run.signal,
    )
    if (outcome.end === 'done') change(() => ({ isDone: true }))
    reportEnd(outcome, request.name, run.signal.aborted)
    current.current = undefined
    setBusy(false)
  }, [])

  /** Aborts a running upload and closes the progress. */
  const close = useCallback(() => {
    current.current?.abort()
    setProgress(undefined)
  }, [])

  return {
    progress,
    /** Whether an upload, or the cleanup after one, is running. */
    isBusy,
    start,
    close,
  }
}
