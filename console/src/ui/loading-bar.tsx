import { useEffect, useRef, useState } from 'react'

/** Navigations faster than this, in milliseconds, show no bar. */
const patience = 20
/** How long the bar takes to fill and fade when the navigation is done. */
const finish = 300

type Phase = 'idle' | 'loading' | 'done'

/** The bar's phase for a navigation that is under way (`isLoading`) or not. */
export function useLoadingPhase(isLoading: boolean): Phase {
  const [phase, setPhase] = useState<Phase>('idle')
  const shown = useRef(false)

  useEffect(() => {
    if (isLoading) {
      const timer = window.setTimeout(() => {
        shown.current = true
        setPhase('loading')
      }, patience)
      return () => window.clearTimeout(timer)
    }
    if (!shown.current) return
    shown.current = false
    setPhase('done')
    const timer = window.setTimeout(() => setPhase('idle'), finish)
    return () => window.clearTimeout(timer)
  }, [isLoading])

  return phase
}

/** A line at the top of the window while a navigation waits for its data. */
export function LoadingBar({ isLoading }: { isLoading: boolean }) {
  const phase = useLoadingPhase(isLoading)
  if (phase === 'idle') return null
  return (
    <div
      // For the eye only: the announcer says where a navigation has led.
      aria-hidden="true"
      className="pointer-events-none fixed inset-x-0 top-0 z-toast h-px"
    >
      <div key={phase} data-phase={phase} className="loading-bar h-full bg-accent-solid" />
    </div>
  )
}
