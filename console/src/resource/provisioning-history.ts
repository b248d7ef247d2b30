import { keepPreviousData } from '@tanstack/react-query'

import { siloMetric, systemMetric } from '~/api/generated/operations'
import type { Measurement, SystemMetricName } from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { GIB, TIB } from '~/lib/units'
import type { ChartData, ChartRange } from '~/ui/chart/chart-data'

/** The scope of the metrics: a silo or one of its projects, or all silos or one of them. */
export interface ProvisioningScope {
  level: 'silo' | 'system'
  /** Id of the project or silo; `undefined` for all. */
  chosen: string | undefined
}

/** The measurements in a range. Contains the range, so that both change together. */
interface ProvisioningHistory {
  range: ChartRange
  inRange: readonly Measurement[]
  /** The last value before the range. */
  before: Measurement | undefined
}

/** Maximum number of changes in one range that are charted. */
const MAX_POINTS = 3000

const metricPage = ({ level, chosen }: ProvisioningScope, name: SystemMetricName, page: Page) =>
  level === 'silo'
    ? q(siloMetric, { path: { metricName: name }, query: { ...page, project: chosen } })
    : q(systemMetric, { path: { metricName: name }, query: { ...page, silo: chosen } })

interface Page {
  startTime: Date
  endTime: Date
  limit: number
  order?: 'descending'
}

/** The provisioned amount of one resource over time. Keeps the previous range while a new one is loading. */
export function provisioningHistory(
  scope: ProvisioningScope,
  name: SystemMetricName,
  { start, end }: ChartRange,
) {
  const inRange = metricPage(scope, name, { startTime: start, endTime: end, limit: MAX_POINTS })
  const before = metricPage(scope, name, {
    startTime: new Date(0),
    endTime: start,
    limit: 1,
    order: 'descending',
  })
  return {
    queryKey: inRange.queryKey,
    queryFn: async (context: { signal: AbortSignal }): Promise<ProvisioningHistory> => {
      const [points, last] = await Promise.all([inRange.queryFn(context), before.queryFn(context)])
      return { range: { start, end }, inRange: points.items, before: last.items[0] }
    },
    placeholderData: keepPreviousData,
  }
}

/**
 * The steps of a history in a unit: the value at the start, every change, and the value at the end. Empty without any measurement
 * before the end.
 */
export function provisioningSteps(history: ProvisioningHistory, label: string, unit: number) {
  const { range, inRange, before } = history
  const start = range.start.getTime()
  const points = inRange.map(({ timestamp, datum }) => ({
    time: timestamp.getTime(),
    value: amountOf(datum),
  }))
  const [first] = points
  if (!first && !before) return { times: [], series: [] }
  if (!first || first.time > start) {
    points.unshift({ time: start, value: before ? amountOf(before.datum) : 0 })
  }
  points.push({ time: range.end.getTime(), value: points.at(-1)?.value ?? 0 })
  return {
    times: points.map(({ time }) => time),
    series: [{ label, values: points.map(({ value }) => value / unit) }],
  } satisfies ChartData
}

function amountOf({ datum }: Measurement['datum']): number {
  return typeof datum === 'number' ? datum : 0
}

/** TiB, or GiB if the storage is so small that a TiB scale would show nothing. */
export function storageUnitOf({ inRange, before }: ProvisioningHistory): 'GiB' | 'TiB' {
  const all = before ? [before, ...inRange] : inRange
  return all.some(({ datum }) => amountOf(datum) >= TIB) ? 'TiB' : 'GiB'
}

/** Bytes in the units of charts. */
export const UNIT_BYTES = { GiB: GIB, TiB: TIB }
