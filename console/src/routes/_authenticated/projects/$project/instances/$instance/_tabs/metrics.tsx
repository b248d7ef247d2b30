import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'

import { instanceActivityList } from '~/api/generated/operations'
import { qOptional } from '~/api/query'
import { RouteTabs } from '~/app/route-tabs'
import { useRange } from '~/app/use-range'
import { rangeSearch } from '~/lib/range-search'
import * as crumbs from '~/messages/project-crumb-screens'
import type { ChartMark } from '~/ui/chart/chart-data'

import { MetricsRangeContext } from '../-metrics-range-context'

/** The range of the charts unless the URL says otherwise. */
const METRICS_RANGE = 'lastHour'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics',
)({
  validateSearch: (search: Record<string, unknown>) => rangeSearch(search, METRICS_RANGE),
  staticData: {
    crumb: {
      label: crumbs.metricsLabel,
      to: ({ project, instance }) => `/projects/${project}/instances/${instance}/metrics/cpu`,
    },
  },
  component: MetricsTab,
})

/** Entries of the activity that are looked through for events, the latest. */
const MAX_ENTRIES = 1000

/** The events of the instance. Their words are loaded after the charts, and people who may not read them do without. */
function marksQuery({ project, instance }: { project: string; instance: string }) {
  const query = { project, limit: MAX_ENTRIES }
  const list = qOptional(instanceActivityList, { path: { instance }, query })
  return {
    queryKey: [...list.queryKey, 'marks'],
    queryFn: async (context: { signal: AbortSignal }) => {
      const [{ instanceMarks }, entries] = await Promise.all([
        import('~/resource/instance-marks'),
        list.queryFn(context),
      ])
      return instanceMarks(entries?.items ?? [])
    },
    refetchInterval: 30_000,
  }
}

const NO_MARKS: readonly ChartMark[] = []

function MetricsTab() {
  const { project, instance } = Route.useParams()
  const search = Route.useSearch()
  const ranged = useRange(METRICS_RANGE)
  const { data: marks = NO_MARKS } = useQuery(marksQuery({ project, instance }))
  const shared = useMemo(() => ({ ...ranged, marks }), [ranged, marks])
  const base = `/projects/${project}/instances/${instance}/metrics`
  return (
    <MetricsRangeContext value={shared}>
      <RouteTabs
        label={crumbs.metricsLabel}
        isBeside
        tabs={[
          { label: crumbs.cpuLabel, to: `${base}/cpu`, search },
          { label: crumbs.diskLabel, to: `${base}/disk`, search },
          { label: crumbs.networkLabel, to: `${base}/network`, search },
        ]}
      >
        <Outlet />
      </RouteTabs>
    </MetricsRangeContext>
  )
}
