import { formatTime } from '~/lib/dates'
import type { ChartRange } from '~/ui/chart/chart-data'

const Y_TICKS = 6
const X_TICKS = 5

/** Where an axis of amounts ends: a fifth above the largest, rounded up so that six ticks are whole numbers. */
export function axisTop(largest: number): number {
  return Math.max(1, Math.ceil((largest * 1.2) / Y_TICKS)) * Y_TICKS
}

/** The six ticks of an axis of amounts; zero is the line below them. */
export function axisTicks(top: number): number[] {
  return Array.from({ length: Y_TICKS }, (_, index) => Math.floor(((index + 1) / Y_TICKS) * top))
}

/** Five moments, evenly spread from the start to the end, in milliseconds. */
export function timeTicks({ start, end }: ChartRange): number[] {
  const step = (end.getTime() - start.getTime()) / (X_TICKS - 1)
  return Array.from({ length: X_TICKS }, (_, index) => Math.round(start.getTime() + index * step))
}

/** A range this short, in milliseconds, has ticks less than a minute apart. */
const WITH_SECONDS = (X_TICKS - 1) * 60_000

/**
 * How moments of a range are written under it: `HH:mm`, with `M/d` before it if the range goes beyond one day, and with seconds if several
 * are in one minute.
 */
export function timeTickFormat({ start, end }: ChartRange): (time: number) => string {
  const isOneDay = start.toDateString() === end.toDateString()
  const hasSeconds = end.getTime() - start.getTime() < WITH_SECONDS
  return (time) => {
    const date = new Date(time)
    const seconds = hasSeconds ? `:${String(date.getSeconds()).padStart(2, '0')}` : ''
    const clock = formatTime(date) + seconds
    return isOneDay ? clock : `${date.getMonth() + 1}/${date.getDate()} ${clock}`
  }
}

const SUFFIXES = ['', 'k', 'M', 'B', 'T']

/** A count with three significant digits: `950`, `1.5k`, `12M`. Larger than trillions stays in trillions. */
export function formatCount(count: number): string {
  let scaled = count
  let index = 0
  while (index < SUFFIXES.length - 1 && Math.abs(Number(scaled.toPrecision(3))) >= 1000) {
    scaled /= 1000
    index += 1
  }
  const digits = Number(scaled.toPrecision(3))
  return `${digits}${SUFFIXES[index] ?? ''}`
}
