import { capacityTone } from '~/ui/capacity-bar'
import { cn } from '~/ui/class-names'
import { Tooltip } from '~/ui/tooltip'

const fills = { accent: 'bg-accent-solid', notice: 'bg-notice-solid', danger: 'bg-danger-solid' }

/**
 * Small upright bar for a table's cell: how much is used, in percent beside it.
 *
 * @param percent 0 and more; what is above 100 fills the bar and is told as it is.
 */
export function ResourceMeter({ percent }: { percent: number }) {
  const text = `${percent.toFixed(2)}% used`
  const filled = Math.min(100, percent)
  return (
    <Tooltip content={text}>
      <span
        role="meter"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={filled}
        aria-valuetext={text}
        tabIndex={0}
        className="inline-flex items-center gap-1.5 rounded-sm"
      >
        <span className="relative h-5 w-1.5 shrink-0 overflow-hidden rounded-full bg-pressed">
          <span
            className={cn('absolute inset-x-0 bottom-0', fills[capacityTone(percent)])}
            style={{ height: `${filled}%` }}
          />
        </span>
        {Math.round(percent)}%
      </span>
    </Tooltip>
  )
}
