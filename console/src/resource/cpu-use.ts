import { call } from '~/api/call'
import { timeseriesQuery } from '~/api/generated/operations'
import type { OxqlQueryResult } from '~/api/generated/types.gen'
import type { CallOptions } from '~/api/query'

import { metricQueryText } from './metric-query'
import { NO_SAMPLES, pointsOf, SAMPLING_NANOSECONDS } from './metric-values'

const HOUR = 3_600_000
const MINUTE = 60_000

/** The time that the vCPUs of an instance ran, in nanoseconds for each five seconds, over the last hour. `null` where nothing was measured. */
export type CpuTimes = readonly (number | null)[]

/** {@link CpuTimes} by the id of the instance. */
export type CpuTimesById = Readonly<Record<string, CpuTimes>>

/** The query for the last hour of all instances of a project, in about 60 points. */
const queryText = (now: number) =>
  metricQueryText({
    metric: 'virtual_machine:vcpu_usage',
    range: { start: new Date(now - HOUR), end: new Date(now) },
    filters: { state: 'run' },
    groupBy: ['instance_id'],
  })

/** Sorts the series of a result by instance, all of them at the same times. */
export function cpuTimesById({ tables }: OxqlQueryResult): CpuTimesById {
  const series = Object.values(tables[0]?.timeseries ?? {}).map((each) => ({
    id: String(each.fields['instanceId']?.value),
    // A cumulative count starts with everything before the range.
    values: new Map(pointsOf(each).slice(1)),
  }))
  const times = [...new Set(series.flatMap(({ values }) => [...values.keys()]))]
  times.sort((one, other) => one - other)
  return Object.fromEntries(
    series.map(({ id, values }) => [id, times.map((time) => values.get(time) ?? null)]),
  )
}

/**
 * The {@link CpuTimesById} of a project. No event says that there are new ones, so they are fetched again each minute.
 *
 * @param project its name.
 */
export const projectCpuTimes = (project: string): CallOptions<CpuTimesById> => ({
  // The times in the text of the query are no part of the key.
  queryKey: [timeseriesQuery.name, { query: { project }, of: 'cpu' }],
  queryFn: async ({ signal }) => {
    const body = { query: queryText(Date.now()) }
    try {
      return cpuTimesById(await call(timeseriesQuery, { query: { project }, body }, { signal }))
    } catch (error) {
      if (error instanceof Error && NO_SAMPLES.test(error.message)) return {}
      throw error
    }
  },
  staleTime: MINUTE,
  refetchInterval: MINUTE,
})

/** Shares of the CPUs in percent. */
export const cpuPercents = (times: CpuTimes, ncpus: number): (number | null)[] =>
  times.map((time) =>
    time === null ? null : Math.min(100, (time / SAMPLING_NANOSECONDS / ncpus) * 100),
  )
