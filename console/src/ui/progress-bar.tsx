import { cn } from '~/ui/class-names'

interface ProgressBarProps {
  /** What goes on, for those who do not see the bar. */
  label: string
  /** How far it is: 0 to 100. */
  percent: number
  className?: string
}

/** A thin bar that fills while something known in length goes on. */
export function ProgressBar({ label, percent, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cn('h-1.5 overflow-hidden rounded-full bg-pressed', className)}
    >
      <div className="h-full rounded-full bg-accent-solid" style={{ width: `${percent}%` }} />
    </div>
  )
}
