import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { instanceView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import * as text from '~/messages/instance-metrics-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { EmptyMessage } from '~/ui/empty-message'

import { networkInterfaces } from '../../-instance-network'
import type { InstanceParams } from '../../-instance-network'
import { PartMetrics } from '../../-part-metrics'
import type { PartChart } from '../../-part-metrics'

const noInterfaces = (
  <EmptyMessage icon={<Network />} title={text.noInterfacesTitle} body={text.noInterfacesHelp} />
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
  staticData: { crumb: { label: crumbs.networkLabel } },
  component: NetworkMetrics,
})

const charts: readonly PartChart[] = [
  { title: text.bytesSentTitle, metric: 'bytes_sent', unit: 'bytes' },
  { title: text.bytesReceivedTitle, metric: 'bytes_received', unit: 'bytes' },
  { title: text.packetsSentTitle, metric: 'packets_sent', unit: 'count' },
  { title: text.packetsReceivedTitle, metric: 'packets_received', unit: 'count' },
  { title: text.packetsDroppedTitle, metric: 'packets_dropped', unit: 'count' },
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
      labels={{ choose: text.chooseInterfaceLabel, all: text.allInterfacesLabel }}
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
