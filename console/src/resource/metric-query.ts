import type { ChartRange } from '~/ui/chart/chart-data'

/** What a chart asks for: one timeseries over a range, averaged to about sixty points. */
export interface MetricQuery {
  /** `target:metric`. */
  metric: string
  range: ChartRange
  /** Fields that have to have a value; those without one are left out. */
  filters: Readonly<Record<string, string | undefined>>
  /** Fields of what is summed up; without any, each series stays for itself. */
  groupBy?: readonly string[]
}

const POINTS = 60
const SHORTEST_PERIOD_SECONDS = 5

/** Seconds between two points of a chart. Nothing is measured more often than every five. */
export function periodSeconds({ start, end }: ChartRange): number {
  const length = (end.getTime() - start.getTime()) / 1000
  return Math.max(SHORTEST_PERIOD_SECONDS, Math.round(length / POINTS))
}

/** A moment as the language writes it: UTC without saying so. */
export const oxqlTimestamp = (moment: Date) => `@${moment.toISOString().slice(0, 19)}.000`

/** The operations of the query, and for the filter its conditions apart. */
function parts({ metric, range, filters, groupBy }: MetricQuery) {
  const period = periodSeconds(range)
  // The first point of a series has everything that was counted before it, so it is not shown, and one more has to come before.
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

/** The query as people read it: a line for each operation and each condition. */
export function metricQueryLines(query: MetricQuery): string {
  const { get, conditions, rest } = parts(query)
  const filter = `filter ${conditions.join('\n      && ')}`
  return [get, filter, ...rest].join('\n  | ')
}
