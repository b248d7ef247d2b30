import { useCallback, useEffect, useRef, useState } from 'react'

import { ApiError } from '~/api/errors'
import { callWithFile } from '~/api/files'
import { systemUpdateGetRepository, systemUpdatePutRepository } from '~/api/generated/operations'
import type { TufRepoInsertResponse } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'

/** The progress of an upload. */
export interface UploadProgress {
  /** Bytes sent so far. */
  sent: number
  /** Size of the file in bytes. */
  total: number
}

/** What an upload sends. */
export const uploadInput = (file: File) => ({ query: { fileName: file.name }, body: file })

/** Runs one upload at a time. It is aborted when it is cancelled or the component unmounts. */
export function useUpload(onDone: (answer: TufRepoInsertResponse) => void) {
  const [progress, setProgress] = useState<UploadProgress>()
  const [error, setError] = useState<ApiError | null>(null)
  const current = useRef<AbortController>(undefined)

  useEffect(() => () => current.current?.abort(), [])

  const start = async (file: File) => {
    const run = new AbortController()
    current.current = run
    setError(null)
    setProgress({ sent: 0, total: file.size })
    // The browser counts headers too, so the number may exceed the size of the file.
    const report = (sent: number) =>
      setProgress({ sent: Math.min(sent, file.size), total: file.size })
    try {
      const input = uploadInput(file)
      const answer = await callWithFile(systemUpdatePutRepository, input, report, run.signal)
      await invalidate(systemUpdateGetRepository)
      onDone(answer)
    } catch (failure) {
      if (run.signal.aborted) return
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      if (!run.signal.aborted) setProgress(undefined)
    }
  }
  const cancel = useCallback(() => {
    current.current?.abort()
    setProgress(undefined)
  }, [])
  return { progress, error, start, cancel }
}
