import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'

import { useMinimumDuration } from '~/ui/spinner'

/** Reloads the current screen, including its failed queries. */
export function useRetry() {
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  const [isRunning, setRunning] = useState(false)
  const isRetrying = useMinimumDuration(isRunning)
  const retry = async () => {
    if (isRetrying) return
    setRunning(true)
    reset()
    try {
      await router.invalidate()
    } finally {
      setRunning(false)
    }
  }
  return { onRetry: () => void retry(), isRetrying }
}
