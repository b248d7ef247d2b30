import { lazy, Suspense, type RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'

import type { DateRange } from '~/lib/date-range'
import * as text from '~/messages/dates'
import { usePopoverZIndex } from '~/ui/layer'
import { Spinner } from '~/ui/spinner'

// The calendar and its arithmetic weigh more than most screens, and most ranges are presets.
const LazyCalendar = lazy(async () => ({
  default: (await import('~/ui/form/date-range-calendar')).DateRangeCalendar,
}))

interface RangePanelProps {
  value: DateRange
  onChange: (range: DateRange) => void
  /** The button that opened it; focus returns there. */
  triggerRef: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The calendar of a {@link DateRangeControl}. */
export function RangePanel({ value, onChange, triggerRef, onClose }: RangePanelProps) {
  const zIndex = usePopoverZIndex()
  return (
    <Popover
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      triggerRef={triggerRef}
      offset={4}
      style={{ zIndex }}
      className="rounded-md bg-raised shadow-overlay outline-none"
    >
      <Dialog aria-label={text.rangeLabel} className="outline-none">
        <Suspense
          fallback={
            <div className="flex h-80 w-64 items-center justify-center">
              <Spinner label={text.loadingLabel} />
            </div>
          }
        >
          <LazyCalendar
            start={value.start}
            end={value.end}
            onChange={(range) => onChange({ ...range, preset: 'custom' })}
          />
        </Suspense>
      </Dialog>
    </Popover>
  )
}
