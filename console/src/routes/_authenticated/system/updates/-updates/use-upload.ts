import { useCallback, useEffect, useRef, useState } from 'react'

import { ApiError } from '~/api/errors'
import { callWithFile } from '~/api/files'
import { systemUpdateGetRepository, systemUpdatePutRepository } from '~/api/generated/operations'
import type { TufRepoInsertResponse } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes that are on their way. */
  sent: number
  /** Bytes of the file. */
  total: number
}

/** One upload at a time. It ends with the component, and when it is cancelled. */
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
    // Headers travel as well, so more than the file's length may be sent.
    const report = (sent: number) =>
      setProgress({ sent: Math.min(sent, file.size), total: file.size })
    try {
      const input = { query: { fileName: file.name }, body: file }
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
