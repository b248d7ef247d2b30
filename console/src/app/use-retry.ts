import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'

import { useMinimumDuration } from '~/ui/spinner'

/** Loads the present screen again. What failed in a query of the screen itself is asked for again, too. */
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
