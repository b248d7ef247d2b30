import type { DateRange } from './date-range'

/** The shortest range that charts show, in milliseconds: measurements are 5 seconds apart or more. */
const MIN_LENGTH = 60_000

/** The longest, since measurements are kept for 30 days. */
const MAX_LENGTH = 30 * 24 * 60 * 60 * 1000

type Span = Pick<DateRange, 'start' | 'end'>

/** A custom range of this length around the middle of a span. It ends at `now` at the latest. */
function around({ start, end }: Span, length: number, now: Date): DateRange {
  const middle = (start.getTime() + end.getTime()) / 2
  const last = Math.min(now.getTime(), Math.round(middle + length / 2))
  return { preset: 'custom', start: new Date(last - length), end: new Date(last) }
}

const lengthOf = ({ start, end }: Span) => Math.abs(end.getTime() - start.getTime())

/** The range after a stretch of a chart was selected, whichever of its ends came first. A stretch too short is widened. */
export function zoomIn(selected: Span, now: Date): DateRange {
  return around(selected, Math.max(MIN_LENGTH, lengthOf(selected)), now)
}

/** The range of twice the length; `undefined` if that is longer than measurements are kept. */
export function zoomOut(shown: Span, now: Date): DateRange | undefined {
  const length = lengthOf(shown)
  if (length >= MAX_LENGTH) return undefined
  return around(shown, Math.min(MAX_LENGTH, 2 * length), now)
}
