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

/** What the progress of an upload looks like. */
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

/** Says what a person would not see, because the progress may be closed by now. */
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

/** One upload at a time, with its progress for as long as somebody looks at it. It ends with the component. */
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
    // Once the progress is closed, what still happens changes nothing on screen.
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

  /** Stops an upload that is under way and closes the progress. */
  const close = useCallback(() => {
    current.current?.abort()
    setProgress(undefined)
  }, [])

  return {
    progress,
    /** An upload, or the cleaning up after one, is under way. */
    isBusy,
    start,
    close,
  }
}
