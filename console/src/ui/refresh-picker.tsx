import { RefreshCw } from 'lucide-react'

import * as text from '~/messages/charts'
import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { LazyListbox } from '~/ui/lazy-listbox'
import { useMinimumDuration } from '~/ui/spinner'

/** The interval of automatic refreshes. */
export type RefreshInterval = 'off' | '10s' | '1m' | '2m' | '5m'

/** Milliseconds of each interval. */
export const INTERVAL_MS: Record<Exclude<RefreshInterval, 'off'>, number> = {
  '10s': 10_000,
  '1m': 60_000,
  '2m': 120_000,
  '5m': 300_000,
}

const options = [
  { value: 'off', label: common.offLabel },
  ...Object.keys(INTERVAL_MS).map((interval) => ({ value: interval, label: interval })),
]

interface RefreshPickerProps {
  /** Names the button, for example "Refresh charts". */
  label: string
  interval: RefreshInterval
  onIntervalChange: (interval: RefreshInterval) => void
  onRefresh: () => void
  isFetching: boolean
  /** Why nothing can be refreshed now; the interval then shows "Off". */
  disabledReason?: string
}

/** A button that refreshes, with a list of intervals for automatic refreshes. */
export function RefreshPicker(props: RefreshPickerProps) {
  const { label, interval, onIntervalChange, onRefresh, isFetching, disabledReason } = props
  const isSpinning = useMinimumDuration(isFetching, 500)
  return (
    <div role="group" aria-label={label} className="flex">
      <Button
        needs={null}
        variant="secondary"
        size="icon"
        aria-label={label}
        disabledReason={disabledReason}
        className="rounded-r-none"
        onPress={() => {
          if (!isSpinning) onRefresh()
        }}
      >
        <RefreshCw aria-hidden="true" className={cn('size-4', isSpinning && 'animate-spin')} />
      </Button>
      <div className="-ml-px w-20">
        <LazyListbox
          aria-label={text.refreshIntervalLabel}
          options={options}
          value={disabledReason ? 'off' : interval}
          onChange={(value) => onIntervalChange(value as RefreshInterval)}
          isDisabled={disabledReason !== undefined}
          className="rounded-l-none"
        />
      </div>
    </div>
  )
}
