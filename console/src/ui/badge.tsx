import type { ReactNode } from 'react'

import { cn } from '~/ui/class-names'

export type BadgeTone = 'accent' | 'neutral' | 'notice' | 'danger' | 'violet' | 'info'

const tinted: Record<BadgeTone, string> = {
  accent: 'border-accent-border bg-accent-bg text-accent-text',
  neutral: 'border-neutral-border bg-neutral-bg text-neutral-text',
  notice: 'border-notice-border bg-notice-bg text-notice-text',
  danger: 'border-danger-border bg-danger-bg text-danger-text',
  violet: 'border-violet-border bg-violet-bg text-violet-text',
  info: 'border-info-border bg-info-bg text-info-text',
}

const filled: Record<BadgeTone, string> = {
  accent: 'border-transparent bg-accent-solid text-accent-on',
  neutral: 'border-transparent bg-neutral-solid text-neutral-on',
  notice: 'border-transparent bg-notice-solid text-notice-on',
  danger: 'border-transparent bg-danger-solid text-danger-on',
  violet: 'border-transparent bg-violet-solid text-violet-on',
  info: 'border-transparent bg-info-solid text-info-on',
}

type BadgeProps = {
  children: ReactNode
  tone?: BadgeTone
  /** Filled instead of tinted. */
  solid?: boolean
  /** Keeps the text's own case, for values such as an address. */
  preserveCase?: boolean
  className?: string
}

/** A short fact in mono capitals. The text in the document keeps its case. */
export function Badge({
  children,
  tone = 'accent',
  solid = false,
  preserveCase = false,
  className,
}: BadgeProps) {
  return (
    <span
      className={cn(
        'inline-flex h-[18px] items-center gap-1 rounded-sm border px-1 text-label font-medium whitespace-nowrap [&_svg]:size-3',
        preserveCase && 'tracking-normal normal-case',
        solid ? filled[tone] : tinted[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
