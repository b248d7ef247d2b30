import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useState } from 'react'

import { instanceView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { MetricChart } from '~/resource/metric-chart'
import type { MetricUnit } from '~/resource/metric-values'
import { EmptyMessage } from '~/ui/empty-message'
import { Listbox } from '~/ui/listbox'

import { networkInterfaces } from '../../-instance-network'
import type { InstanceParams } from '../../-instance-network'
import { ChartGrid, MetricsToolbar, useMetricsRange } from '../../-metrics-range'

const noInterfaces = (
  <EmptyMessage
    icon={<Network />}
    title="No network metrics available"
    body="Network metrics are only available if there are network interfaces attached"
  />
)

const view = ({ project, instance }: InstanceParams) =>
  q(instanceView, { path: { instance }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics/network',
)({
  loader: ({ context, params }) =>
    Promise.all([
      load(context.queryClient, view(params)),
      load(context.queryClient, networkInterfaces(params)),
    ]),
  staticData: { crumb: { label: 'Network' } },
  component: NetworkMetrics,
})

const charts: { title: string; metric: string; unit: MetricUnit }[] = [
  { title: 'Bytes Sent', metric: 'bytes_sent', unit: 'bytes' },
  { title: 'Bytes Received', metric: 'bytes_received', unit: 'bytes' },
  { title: 'Packets Sent', metric: 'packets_sent', unit: 'count' },
  { title: 'Packets Received', metric: 'packets_received', unit: 'count' },
  { title: 'Packets Dropped', metric: 'packets_dropped', unit: 'count' },
]

const ALL = 'all'

function NetworkMetrics() {
  const params = Route.useParams()
  const instance = useLoaded(view(params))
  const { items: interfaces } = useLoaded(networkInterfaces(params))
  const { range } = useMetricsRange()
  const [chosen, setChosen] = useState(ALL)
  if (interfaces.length === 0) return noInterfaces
  // An interface that was chosen may have been deleted meanwhile.
  const nic = interfaces.find(({ id }) => id === chosen)
  const options = interfaces.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <MetricsToolbar>
        <Listbox
          aria-label="Choose network interface"
          options={[{ value: ALL, label: 'All NICs' }, ...options]}
          value={nic?.id ?? ALL}
          onChange={setChosen}
        />
      </MetricsToolbar>
      <ChartGrid>
        {charts.map(({ title, metric, unit }) => (
          <MetricChart
            key={metric}
            project={params.project}
            title={title}
            unit={unit}
            fileName={`${instance.name}-${nic?.name ?? 'network'}-${metric}`}
            query={{
              metric: `instance_network_interface:${metric}`,
              range,
              filters: { instance_id: instance.id, interface_id: nic?.id },
              groupBy: nic ? undefined : ['instance_id'],
            }}
          />
        ))}
      </ChartGrid>
    </>
  )
}
