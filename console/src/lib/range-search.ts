import type { DateRangePreset } from './date-range'

/** A time range in the URL: the name of one that ends now, or the ends of any other. */
export interface RangeSearch {
  /** Absent for the page's default. */
  range?: DateRangePreset
  /** Ends of any other range, in ISO 8601. */
  start?: string
  end?: string
}

const PRESETS: readonly DateRangePreset[] = [
  'lastHour',
  'last3Hours',
  'lastDay',
  'lastWeek',
  'last30Days',
]

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** The part of `validateSearch` that belongs to the range of a page. Invalid parameters are ignored. */
export function rangeSearch(
  { range, start, end }: Record<string, unknown>,
  standard: DateRangePreset,
): RangeSearch {
  if (isTime(start) && isTime(end)) return { start, end }
  const known = PRESETS.find((each) => each === range)
  return known && known !== standard ? { range: known } : {}
}
