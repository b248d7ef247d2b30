import type { OxqlQueryResult, Timeseries } from '~/api/generated/types.gen'
import { roundTo } from '~/lib/numbers'
import * as text from '~/messages/metric'
import { formatCount } from '~/ui/chart/chart-axis'
import { largestValue } from '~/ui/chart/chart-data'
import type { ChartData } from '~/ui/chart/chart-data'

/** The unit of the values of a metric. */
export type MetricUnit = 'percent' | 'bytes' | 'count'

/** Values in the unit in which they are shown, with their format. */
export interface MetricValues {
  data: ChartData
  /** The name of the unit, shown in the title and after a value. */
  unit: string
  formatValue: (value: number) => string
  formatTick: (value: number) => string
}

/** The sum of a result's series over time. */
export interface SummedSeries {
  times: number[]
  values: (number | null)[]
  /** Number of series. */
  count: number
}

/**
 * Adds up the series of the first table. The first point of each is left out, because a cumulative count starts with everything
 * before the range. The sum is `null` where no series has a number.
 */
export function sumSeries({ tables }: OxqlQueryResult): SummedSeries {
  const all = Object.values(tables[0]?.timeseries ?? {})
  const sums = new Map<number, number | null>()
  for (const series of all) {
    for (const [time, value] of pointsOf(series).slice(1)) {
      const sum = sums.get(time) ?? null
      sums.set(time, value === null ? sum : (sum ?? 0) + value)
    }
  }
  const times = [...sums.keys()].toSorted((one, other) => one - other)
  return { times, values: times.map((time) => sums.get(time) ?? null), count: all.length }
}

/** The points of a series, with `null` where it has no number. */
export function pointsOf({ points }: Timeseries): [time: number, value: number | null][] {
  const values: readonly unknown[] = points.values[0]?.values.values ?? []
  return points.timestamps.map((timestamp, index) => {
    const value = values[index]
    return [Date.parse(timestamp), typeof value === 'number' ? value : null]
  })
}

/** Every five seconds, instances report the time that each vCPU spent in each state, in nanoseconds. */
export const SAMPLING_NANOSECONDS = 5e9

/** The server's error when the series have no samples in the range. It means that there is no data. */
export const NO_SAMPLES = /^Input tables to a `group_by` must be aligned$/

const BYTE_UNITS = [text.bytesLabel, 'KiB', 'MiB', 'GiB', 'TiB']

/** The chart data of summed series, in a unit that suits their size. */
export function metricValues(
  label: string,
  unit: MetricUnit,
  { times, values, count }: SummedSeries,
): MetricValues {
  const dataOf = (divisor: number): ChartData => ({
    times,
    series: [{ label, values: values.map((value) => value && value / divisor) }],
  })
  if (unit === 'percent') {
    return { data: dataOf((SAMPLING_NANOSECONDS * count) / 100), unit: '%', ...percentFormat }
  }
  if (unit === 'count') {
    return { data: dataOf(1), unit: text.countLabel, ...countFormat }
  }
  const power = bytePower(largestValue(dataOf(1)))
  return {
    data: dataOf(1024 ** power),
    unit: BYTE_UNITS[power] ?? '',
    ...(byteFormats[power] ?? countFormat),
  }
}

/** The power of 1024 by which the largest value is divided, so that at most three digits remain before the point. */
function bytePower(largest: number): number {
  let power = 0
  while (power < BYTE_UNITS.length - 1 && largest / 1024 ** power >= 1024) power += 1
  return power
}

const twoDigits = (value: number) => roundTo(value, 2).toLocaleString()

// Created once, because charts are redrawn when they get a different function.
const percentFormat = {
  formatValue: (value: number) => `${twoDigits(value)} %`,
  formatTick: (value: number) => `${value}%`,
}
const countFormat = { formatValue: twoDigits, formatTick: formatCount }
const byteFormats = BYTE_UNITS.map((unit) => ({
  formatValue: (value: number) => `${twoDigits(value)} ${unit}`,
  formatTick: String,
}))
