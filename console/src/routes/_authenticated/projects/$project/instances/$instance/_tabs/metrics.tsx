import { createFileRoute, Outlet } from '@tanstack/react-router'

import { RouteTabs } from '~/app/route-tabs'
import { useRange } from '~/app/use-range'
import { rangeSearch } from '~/lib/range-search'
import * as crumbs from '~/messages/project-crumb-screens'

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

function MetricsTab() {
  const { project, instance } = Route.useParams()
  const search = Route.useSearch()
  const shared = useRange(METRICS_RANGE)
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
