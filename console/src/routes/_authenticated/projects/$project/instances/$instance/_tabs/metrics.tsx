import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

import { RouteTabs } from '~/app/route-tabs'
import { presetRange } from '~/lib/date-range'
import * as crumbs from '~/messages/project-crumb-screens'

import { MetricsRangeContext } from '../-metrics-range-context'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics',
)({
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
  const [range, setRange] = useState(() => presetRange('lastHour', new Date()))
  const shared = useMemo(() => ({ range, setRange }), [range])
  const base = `/projects/${project}/instances/${instance}/metrics`
  return (
    <MetricsRangeContext value={shared}>
      <RouteTabs
        label={crumbs.metricsLabel}
        isBeside
        tabs={[
          { label: crumbs.cpuLabel, to: `${base}/cpu` },
          { label: crumbs.diskLabel, to: `${base}/disk` },
          { label: crumbs.networkLabel, to: `${base}/network` },
        ]}
      >
        <Outlet />
      </RouteTabs>
    </MetricsRangeContext>
  )
}
