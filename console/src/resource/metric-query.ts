import type { ChartRange } from '~/ui/chart/chart-data'

/** The query of a chart: one timeseries over a range, averaged to about 60 points. */
export interface MetricQuery {
  /** `target:metric`. */
  metric: string
  range: ChartRange
  /** Required values of fields. Fields without a value are ignored. */
  filters: Readonly<Record<string, string | undefined>>
  /** Fields to group by, summing the values. Without any, the series are not combined. */
  groupBy?: readonly string[]
}

const POINTS = 60
const SHORTEST_PERIOD_SECONDS = 5

/** Seconds between two points of a chart. Metrics are sampled at most every five seconds. */
export function periodSeconds({ start, end }: ChartRange): number {
  const length = (end.getTime() - start.getTime()) / 1000
  return Math.max(SHORTEST_PERIOD_SECONDS, Math.round(length / POINTS))
}

/** A time in the syntax of OxQL: UTC, without a time zone. */
export const oxqlTimestamp = (moment: Date) => `@${moment.toISOString().slice(0, 19)}.000`

/** The operations of the query, and the conditions of its filter. */
function parts({ metric, range, filters, groupBy }: MetricQuery) {
  const period = periodSeconds(range)
  // The first point of a series contains everything counted before it and is not shown. So the range starts two periods earlier.
  const start = new Date(range.start.getTime() - 2 * period * 1000)
  return {
    get: `get ${metric}`,
    conditions: [
      `timestamp >= ${oxqlTimestamp(start)}`,
      `timestamp < ${oxqlTimestamp(range.end)}`,
      ...Object.entries(filters).flatMap(([field, value]) =>
        value ? [`${field} == "${value}"`] : [],
      ),
    ],
    rest: [
      `align mean_within(${period}s)`,
      ...(groupBy ? [`group_by [${groupBy.join(', ')}], sum`] : []),
    ],
  }
}

/** The query in one line, as it is sent and copied. */
export function metricQueryText(query: MetricQuery): string {
  const { get, conditions, rest } = parts(query)
  return [get, `filter ${conditions.join(' && ')}`, ...rest].join(' | ')
}

/** The query in a readable format: one line for each operation and condition. */
export function metricQueryLines(query: MetricQuery): string {
  const { get, conditions, rest } = parts(query)
  const filter = `filter ${conditions.join('\n      && ')}`
  return [get, filter, ...rest].join('\n  | ')
}
