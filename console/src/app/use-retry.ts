import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { liveState, subscribeLiveState } from '~/api/live/state'
import { useMinimumDuration } from '~/ui/spinner'

/** Reloads the current screen, including its failed queries: when asked, and by itself once there is a connection again. */
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
  useOnConnection(() => void retry())
  return { onRetry: () => void retry(), isRetrying }
}

/** Calls back when the browser has a network again, and when the stream of events is up again. */
function useOnConnection(callback: () => void) {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  useEffect(() => {
    const call = () => latest.current()
    window.addEventListener('online', call)
    const unsubscribe = subscribeLiveState(() => liveState() === 'live' && call())
    return () => {
      window.removeEventListener('online', call)
      unsubscribe()
    }
  }, [])
}
