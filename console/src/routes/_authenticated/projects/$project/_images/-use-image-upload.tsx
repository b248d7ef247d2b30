import { useCallback, useEffect, useRef, useState } from 'react'

import { minutesLeft } from '~/lib/time-left'
import { chunkCount } from '~/resource/image-chunks'
import type { UploadFailure, UploadRequest } from '~/resource/image-upload'
import { UPLOAD_STEPS } from '~/resource/image-upload-steps'
import type { StepStatus, UploadStep } from '~/resource/image-upload-steps'
import { reportEnd, startUpload } from '~/resource/image-uploads'

/** The progress of an upload, as it is shown. */
export interface UploadProgressState {
  file: File
  steps: Record<UploadStep, StepStatus>
  chunksDone: number
  chunksTotal: number
  /** An estimate, once there is one. */
  minutesLeft?: number
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

/**
 * Runs one upload at a time and reports its progress until the progress is closed. Unmounting the component aborts the upload.
 *
 * @param person id of the signed-in user.
 */
export function useImageUpload(person: string) {
  const [progress, setProgress] = useState<UploadProgressState>()
  const [isBusy, setBusy] = useState(false)
  const current = useRef<AbortController>(undefined)

  useEffect(() => () => current.current?.abort(), [])

  const start = useCallback(
    async (request: UploadRequest & { file: File }) => {
      const run = new AbortController()
      current.current = run
      setBusy(true)
      setProgress(startOf(request.file))
      // Updates that arrive after the progress was closed are ignored.
      const change = (part: (before: UploadProgressState) => Partial<UploadProgressState>) =>
        setProgress((before) => before && { ...before, ...part(before) })
      let sendingSince = 0
      const outcome = await startUpload(
        request,
        person,
        {
          onStep: (step, status) => {
            if (step === 'sendFile' && status === 'running') sendingSince = performance.now()
            change(({ steps }) => ({ steps: { ...steps, [step]: status } }))
          },
          onProgress: (chunksDone) => {
            const elapsed = performance.now() - sendingSince
            change(({ chunksTotal }) => ({
              chunksDone,
              minutesLeft: minutesLeft(elapsed, chunksDone, chunksTotal),
            }))
          },
          onFailure: (failure) => change(() => ({ failure })),
        },
        run.signal,
      )
      if (outcome.end === 'done') change(() => ({ isDone: true }))
      // Another tab may have canceled it.
      if (outcome.end === 'cancelled') setProgress(undefined)
      reportEnd(outcome, request.name, outcome.end === 'cancelled' || run.signal.aborted)
      current.current = undefined
      setBusy(false)
    },
    [person],
  )

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
