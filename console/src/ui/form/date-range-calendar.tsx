import { fromDate, getLocalTimeZone, type ZonedDateTime } from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Heading } from 'react-aria-components/Heading'
import { Label } from 'react-aria-components/Label'
import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  RangeCalendar,
} from 'react-aria-components/RangeCalendar'
import { DateInput, DateSegment, TimeField } from 'react-aria-components/TimeField'

import { validateDateRange } from '~/lib/date-range'
import * as text from '~/messages/dates'
import { FieldMessage } from '~/ui/form/field-frame'

/** Properties of {@link DateRangeCalendar}. */
export interface DateRangeCalendarProps {
  start: Date
  end: Date
  /** Called with valid ranges only. */
  onChange: (range: { start: Date; end: Date }) => void
}

interface Draft {
  start: ZonedDateTime
  end: ZonedDateTime
}

/**
 * Month with a range in it and the times at its ends, in the browser's time zone. Nothing later than the moment it
 * opened can be chosen; later times become that moment.
 */
export function DateRangeCalendar({ start, end, onChange }: DateRangeCalendarProps) {
  const zone = getLocalTimeZone()
  const [draft, setDraft] = useState<Draft>({
    start: fromDate(start, zone),
    end: fromDate(end, zone),
  })
  const [latest] = useState(() => fromDate(new Date(), zone))
  const problem = validateDateRange({ start: draft.start.toDate(), end: draft.end.toDate() })
  const change = (next: Draft): void => {
    const kept = { start: earlier(next.start, latest), end: earlier(next.end, latest) }
    setDraft(kept)
    const range = { start: kept.start.toDate(), end: kept.end.toDate() }
    if (!validateDateRange(range)) onChange(range)
  }
  return (
    <div className="flex flex-col gap-3 p-3">
      <RangeCalendar
        aria-label={text.calendarLabel}
        value={draft}
        // A day chosen for the end keeps its time of day, which may not have come yet.
        maxValue={latest.set({ hour: 23, minute: 59, second: 59, millisecond: 999 })}
        onChange={(days) =>
          change({ start: sameTime(days.start, draft.start), end: sameTime(days.end, draft.end) })
        }
      >
        <header className="mb-2 flex items-center justify-between">
          <Button slot="previous" className={ARROW_CLASS}>
            <ChevronLeft aria-hidden="true" className="size-4" />
          </Button>
          <Heading className="text-sm font-medium" />
          <Button slot="next" className={ARROW_CLASS}>
            <ChevronRight aria-hidden="true" className="size-4" />
          </Button>
        </header>
        <CalendarGrid className="border-separate border-spacing-y-0.5">
          <CalendarGridHeader>
            {(day) => (
              <CalendarHeaderCell className="size-8 text-label font-normal text-fg-subtle">
                {day}
              </CalendarHeaderCell>
            )}
          </CalendarGridHeader>
          <CalendarGridBody>
            {(date) => <CalendarCell date={date} className={DAY_CLASS} />}
          </CalendarGridBody>
        </CalendarGrid>
      </RangeCalendar>
      <div className="grid grid-cols-2 gap-2">
        <TimeOfDay
          label={text.startTimeLabel}
          value={draft.start}
          onChange={(value) => change({ ...draft, start: value })}
        />
        <TimeOfDay
          label={text.endTimeLabel}
          value={draft.end}
          onChange={(value) => change({ ...draft, end: value })}
        />
      </div>
      <FieldMessage id="date-range-problem" message={problem} />
    </div>
  )
}

const ARROW_CLASS =
  'flex size-7 cursor-default items-center justify-center rounded-sm text-fg-muted hover:bg-hover hover:text-fg disabled:text-fg-disabled'

// Today has a dot under its number.
const DAY_CLASS =
  'tabular relative flex size-8 cursor-default items-center justify-center text-sm outline-none ' +
  'data-hovered:bg-hover data-outside-month:invisible data-disabled:text-fg-disabled ' +
  'data-selected:bg-selected data-selection-start:rounded-l-sm data-selection-start:bg-accent-solid data-selection-start:text-accent-on ' +
  'data-selection-end:rounded-r-sm data-selection-end:bg-accent-solid data-selection-end:text-accent-on ' +
  'data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-focus ' +
  'data-today:after:absolute data-today:after:bottom-1 data-today:after:size-1 data-today:after:rounded-full data-today:after:bg-current'

interface TimeOfDayProps {
  label: string
  value: ZonedDateTime
  onChange: (value: ZonedDateTime) => void
}

function TimeOfDay({ label, value, onChange }: TimeOfDayProps) {
  return (
    <TimeField
      value={value}
      onChange={(time) => time && onChange(value.set({ hour: time.hour, minute: time.minute }))}
      hourCycle={24}
      hideTimeZone
      className="flex flex-col gap-1"
    >
      <Label className="text-xs text-fg-subtle">{label}</Label>
      <DateInput className="flex h-8 items-center rounded-sm border border-line-control bg-field px-2 font-mono text-sm tabular data-focus-within:outline-2 data-focus-within:outline-offset-1 data-focus-within:outline-focus">
        {(segment) => (
          <DateSegment
            segment={segment}
            className="rounded-sm px-0.5 outline-none data-focused:bg-accent-solid data-focused:text-accent-on"
          />
        )}
      </DateInput>
    </TimeField>
  )
}

function sameTime(
  day: { year: number; month: number; day: number },
  time: ZonedDateTime,
): ZonedDateTime {
  return time.set({ year: day.year, month: day.month, day: day.day })
}

function earlier(value: ZonedDateTime, latest: ZonedDateTime): ZonedDateTime {
  return value.compare(latest) > 0 ? latest : value
}
