import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { load, useLoaded } from '~/api/query'
import * as text from '~/messages/instance-metrics-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { EmptyMessage } from '~/ui/empty-message'

import { instanceQuery, networkInterfaces } from '../../-instance-queries'
import { PartMetrics } from '../../-part-metrics'
import type { PartKind } from '../../-part-metrics'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics/network',
)({
  loader: ({ context, params }) =>
    Promise.all([
      load(context.queryClient, instanceQuery(params)),
      load(context.queryClient, networkInterfaces(params)),
    ]),
  staticData: { crumb: { label: crumbs.networkLabel } },
  component: NetworkMetrics,
})

const interfaces: PartKind = {
  choose: text.chooseInterfaceLabel,
  all: text.allInterfacesLabel,
  target: {
    name: 'instance_network_interface',
    instanceField: 'instance_id',
    partField: 'interface_id',
  },
  charts: [
    { title: text.bytesSentTitle, metric: 'bytes_sent', unit: 'bytes' },
    { title: text.bytesReceivedTitle, metric: 'bytes_received', unit: 'bytes' },
    { title: text.packetsSentTitle, metric: 'packets_sent', unit: 'count' },
    { title: text.packetsReceivedTitle, metric: 'packets_received', unit: 'count' },
    { title: text.packetsDroppedTitle, metric: 'packets_dropped', unit: 'count' },
  ],
  fileName: (instance, nic) => `${instance}-${nic ?? 'network'}`,
  empty: (
    <EmptyMessage icon={<Network />} title={text.noInterfacesTitle} body={text.noInterfacesHelp} />
  ),
}

function NetworkMetrics() {
  const params = Route.useParams()
  const { items } = useLoaded(networkInterfaces(params))
  return <PartMetrics kind={interfaces} of={params} parts={items} />
}
