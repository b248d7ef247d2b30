import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { instanceView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { EmptyMessage } from '~/ui/empty-message'

import { networkInterfaces } from '../../-instance-network'
import type { InstanceParams } from '../../-instance-network'
import { PartMetrics } from '../../-part-metrics'
import type { PartChart } from '../../-part-metrics'

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

const charts: readonly PartChart[] = [
  { title: 'Bytes Sent', metric: 'bytes_sent', unit: 'bytes' },
  { title: 'Bytes Received', metric: 'bytes_received', unit: 'bytes' },
  { title: 'Packets Sent', metric: 'packets_sent', unit: 'count' },
  { title: 'Packets Received', metric: 'packets_received', unit: 'count' },
  { title: 'Packets Dropped', metric: 'packets_dropped', unit: 'count' },
]

function NetworkMetrics() {
  const params = Route.useParams()
  const instance = useLoaded(view(params))
  const { items: interfaces } = useLoaded(networkInterfaces(params))
  return (
    <PartMetrics
      project={params.project}
      instance={instance.id}
      parts={interfaces}
      labels={{ choose: 'Choose network interface', all: 'All NICs' }}
      target={{
        name: 'instance_network_interface',
        instanceField: 'instance_id',
        partField: 'interface_id',
      }}
      charts={charts}
      fileName={(nic) => `${instance.name}-${nic ?? 'network'}`}
      empty={noInterfaces}
    />
  )
}
