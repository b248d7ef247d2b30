import type { ReactNode } from 'react'

import { cn } from '~/ui/class-names'
import { Spinner } from '~/ui/spinner'

export type StatusTone = 'accent' | 'success' | 'neutral' | 'notice' | 'danger' | 'violet' | 'info'

const toneClasses: Record<StatusTone, string> = {
  accent: 'text-accent-solid',
  success: 'text-success-solid',
  neutral: 'text-neutral-8',
  notice: 'text-notice-solid',
  danger: 'text-danger-solid',
  violet: 'text-violet-solid',
  info: 'text-info-solid',
}

type StatusProps = {
  children: ReactNode
  tone?: StatusTone
  /** `hollow` is for things at rest, so that colour is never the only difference. */
  dot?: 'filled' | 'hollow'
  /** A transition is under way: a quiet ring takes the dot's place. */
  spinner?: boolean
  className?: string
}

/** A state: coloured dot and word, never the colour alone. */
export function Status({
  children,
  tone = 'neutral',
  dot = 'filled',
  spinner = false,
  className,
}: StatusProps) {
  return (
    <span className={cn('inline-flex items-center gap-2 whitespace-nowrap', className)}>
      <span className={cn('inline-flex size-3 items-center justify-center', toneClasses[tone])}>
        {spinner ? (
          <Spinner className="size-3" />
        ) : (
          <span
            aria-hidden="true"
            className={cn(
              'size-2 rounded-full',
              dot === 'filled' ? 'bg-current' : 'border-[1.5px] border-current',
            )}
          />
        )}
      </span>
      {children}
    </span>
  )
}
