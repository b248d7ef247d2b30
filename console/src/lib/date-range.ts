import * as text from '~/messages/dates'

import type { RangeSearch } from './range-search'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Ranges that end now, by length. */
export type DateRangePreset = 'lastHour' | 'last3Hours' | 'lastDay' | 'lastWeek' | 'last30Days'

/** A span of time and how it was chosen; a custom one does not move on with the clock. */
export interface DateRange {
  preset: DateRangePreset | 'custom'
  start: Date
  end: Date
}

const PRESETS: Record<DateRangePreset, { label: string; length: number }> = {
  lastHour: { label: text.lastHourLabel, length: HOUR_MS },
  last3Hours: { label: text.last3HoursLabel, length: 3 * HOUR_MS },
  lastDay: { label: text.lastDayLabel, length: DAY_MS },
  lastWeek: { label: text.lastWeekLabel, length: 7 * DAY_MS },
  last30Days: { label: text.last30DaysLabel, length: 30 * DAY_MS },
}

/** One entry of a list of ranges. */
export interface DateRangeChoice {
  value: DateRange['preset']
  label: string
}

/** Everything a person may choose, in the order of the list. */
export const DATE_RANGE_CHOICES: readonly DateRangeChoice[] = [
  { value: 'lastHour', label: PRESETS.lastHour.label },
  { value: 'last3Hours', label: PRESETS.last3Hours.label },
  { value: 'lastDay', label: PRESETS.lastDay.label },
  { value: 'lastWeek', label: PRESETS.lastWeek.label },
  { value: 'last30Days', label: PRESETS.last30Days.label },
  { value: 'custom', label: text.customLabel },
]

/** The choices for measurements, which are kept for 30 days. */
export const METRIC_RANGE_CHOICES: readonly DateRangeChoice[] = [
  { value: 'lastHour', label: PRESETS.lastHour.label },
  { value: 'last3Hours', label: PRESETS.last3Hours.label },
  { value: 'lastDay', label: text.last24HoursLabel },
  { value: 'lastWeek', label: PRESETS.lastWeek.label },
  { value: 'last30Days', label: PRESETS.last30Days.label },
  { value: 'custom', label: text.customLabel },
]

/** The range of a preset that ends at `now`. */
export function presetRange(preset: DateRangePreset, now: Date): DateRange {
  return { preset, start: new Date(now.getTime() - PRESETS[preset].length), end: now }
}

/** The range after a choice from the list: a preset ends now, "Custom" keeps and freezes what is shown. */
export function chooseRange(choice: DateRange['preset'], shown: DateRange, now: Date): DateRange {
  return choice === 'custom' ? { ...shown, preset: 'custom' } : presetRange(choice, now)
}

/** @returns the message for a range that ends before it starts. */
export function validateDateRange({
  start,
  end,
}: Pick<DateRange, 'start' | 'end'>): string | undefined {
  return end < start ? text.invalidRangeError : undefined
}

/** The range that the URL says at `now`. */
export function rangeFromSearch(
  { range, start, end }: RangeSearch,
  standard: DateRangePreset,
  now: Date,
): DateRange {
  if (start && end) return { preset: 'custom', start: new Date(start), end: new Date(end) }
  return presetRange(range ?? standard, now)
}

/** What the URL says of a range. All parameters are there, so that those of an earlier range go. */
export function searchFromRange(
  { preset, start, end }: DateRange,
  standard: DateRangePreset,
): RangeSearch {
  const isCustom = preset === 'custom'
  return {
    range: isCustom || preset === standard ? undefined : preset,
    start: isCustom ? start.toISOString() : undefined,
    end: isCustom ? end.toISOString() : undefined,
  }
}
