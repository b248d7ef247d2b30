import { useEffect, useState } from 'react'

import { cn } from '~/ui/class-names'

/**
 * A spinning ring. With a label it is announced by that name; without one it is decorative.
 */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const naming = label ? { role: 'status', 'aria-label': label } : { 'aria-hidden': true }
  return (
    <span {...naming} className={cn('inline-flex size-3.5 shrink-0', className)}>
      <svg viewBox="0 0 16 16" fill="none" className="size-full animate-spin" aria-hidden="true">
        <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeWidth="2" opacity="0.22" />
        <path
          d="M8 1.5A6.5 6.5 0 0 1 14.5 8"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
    </span>
  )
}

/**
 * True while `active`, and for at least `milliseconds` once it has become true, so that a spinner
 * never flickers. The default is the console's rule for every spinner.
 */
export function useMinimumDuration(active: boolean, milliseconds = 500): boolean {
  const [startedAt, setStartedAt] = useState<number | null>(null)

  useEffect(() => {
    if (active) {
      setStartedAt((earlier) => earlier ?? performance.now())
      return
    }
    if (startedAt === null) return
    const remaining = startedAt + milliseconds - performance.now()
    const timer = window.setTimeout(() => setStartedAt(null), Math.max(0, remaining))
    return () => window.clearTimeout(timer)
  }, [active, startedAt, milliseconds])

  return active || startedAt !== null
}
