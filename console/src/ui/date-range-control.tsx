import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'

import { chooseRange, DATE_RANGE_CHOICES } from '~/lib/date-range'
import type { DateRange, DateRangeChoice } from '~/lib/date-range'
import { formatDateTimeRange } from '~/lib/dates'
import * as text from '~/messages/dates'
import { MomentTip } from '~/ui/date-time'
import { usePopoverZIndex } from '~/ui/layer'
import { Listbox } from '~/ui/listbox'
import { Spinner } from '~/ui/spinner'

// The calendar and its arithmetic weigh more than most screens, and most ranges are presets.
const LazyCalendar = lazy(async () => ({
  default: (await import('~/ui/form/date-range-calendar')).DateRangeCalendar,
}))

const SETTLE_MS = 400

/** Properties of {@link DateRangeControl}. */
export interface DateRangeControlProps {
  value: DateRange
  /** Called at once for a choice from the list, and 400 ms after the last change in the calendar. */
  onChange: (range: DateRange) => void
  /** What the list offers; everything unless given. */
  choices?: readonly DateRangeChoice[]
  isDisabled?: boolean
  'aria-labelledby'?: string
}

/** A list of usual time ranges joined to a calendar for any other. Nothing lies in the future. */
export function DateRangeControl({
  value,
  onChange,
  choices = DATE_RANGE_CHOICES,
  isDisabled,
  ...naming
}: DateRangeControlProps) {
  const [draft, setDraft] = useState<DateRange>()
  useEffect(() => {
    if (!draft) return undefined
    const timer = setTimeout(() => {
      setDraft(undefined)
      onChange(draft)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [draft, onChange])
  const shown = draft ?? value
  return (
    <div role="group" {...naming} className="flex max-w-lg">
      <div className="w-36 shrink-0">
        <Listbox
          aria-label={text.presetLabel}
          options={choices}
          value={shown.preset}
          onChange={(choice) => {
            setDraft(undefined)
            onChange(chooseRange(choice as DateRange['preset'], shown, new Date()))
          }}
          isDisabled={isDisabled}
          className="rounded-r-none"
        />
      </div>
      <RangeButton value={shown} onChange={setDraft} isDisabled={isDisabled} />
    </div>
  )
}

function RangeButton({
  value,
  onChange,
  isDisabled,
}: Pick<DateRangeControlProps, 'value' | 'onChange' | 'isDisabled'>) {
  const zIndex = usePopoverZIndex()
  return (
    <DialogTrigger>
      <MomentTip moments={[value.start, value.end]}>
        <Button
          aria-label={text.rangeLabel}
          isDisabled={isDisabled}
          className="-ml-px flex h-8 min-w-0 cursor-default items-center gap-2 rounded-r-sm border border-line-control bg-field px-2.5 text-sm text-fg tabular disabled:border-line-strong disabled:bg-sunken disabled:text-fg-subtle"
        >
          <CalendarDays aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />
          <span className="truncate">{formatDateTimeRange(value.start, value.end)}</span>
        </Button>
      </MomentTip>
      <Popover
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
    </DialogTrigger>
  )
}
