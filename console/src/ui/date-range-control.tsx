import { CalendarDays } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { chooseRange, DATE_RANGE_CHOICES } from '~/lib/date-range'
import type { DateRange, DateRangeChoice } from '~/lib/date-range'
import { formatDateTimeRange } from '~/lib/dates'
import * as text from '~/messages/dates'
import { MomentTip } from '~/ui/date-time'
import { LazyListbox } from '~/ui/lazy-listbox'
import { onDemand } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'

/** Loaded when the button is hovered or focused. */
const RangePanel = onDemand(async () => (await import('~/ui/range-panel')).RangePanel)

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
        <LazyListbox
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
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <MomentTip moments={[value.start, value.end]}>
        <PressButton
          ref={button}
          aria-label={text.rangeLabel}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          isDisabled={isDisabled}
          onHoverStart={RangePanel.preload}
          onFocus={RangePanel.preload}
          onPress={() => setOpen(true)}
          className="-ml-px flex h-8 min-w-0 cursor-default items-center gap-2 rounded-r-sm border border-line-control bg-field px-2.5 text-sm text-fg tabular disabled:border-line-strong disabled:bg-sunken disabled:text-fg-subtle"
        >
          <CalendarDays aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />
          <span className="truncate">{formatDateTimeRange(value.start, value.end)}</span>
        </PressButton>
      </MomentTip>
      {isOpen && (
        <RangePanel
          value={value}
          onChange={onChange}
          triggerRef={button}
          onClose={close}
          onMissing={close}
        />
      )}
    </>
  )
}
