import { createFileRoute } from '@tanstack/react-router'

import { floatingIpList } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { projectIpPools } from '~/resource/project-ip-pools'

import { ExternalIpsCard } from '../-external-ips-card'
import { externalIps, instanceQuery, networkInterfaces } from '../-instance-queries'
import { NetworkInterfacesCard } from '../-network-interfaces-card'

const projectFloatingIps = (project: string) =>
  q(floatingIpList, { query: { project, limit: allItems } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/networking',
)({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([
      load(queryClient, networkInterfaces(params)),
      load(queryClient, projectFloatingIps(params.project)),
      load(queryClient, externalIps(params)),
      load(queryClient, instanceQuery(params)),
      load(queryClient, projectIpPools),
    ]),
  staticData: { crumb: { label: crumbs.networkingLabel } },
  component: NetworkingTab,
})

function NetworkingTab() {
  const params = Route.useParams()
  const { project } = params
  const instance = useLoaded(instanceQuery(params))
  const interfaces = useLoaded(networkInterfaces(params)).items
  const ips = useLoaded(externalIps(params)).items
  const floatingIps = useLoaded(projectFloatingIps(project)).items
  const pools = useLoaded(projectIpPools).items
  return (
    <div className="space-y-6">
      <ExternalIpsCard
        project={project}
        instance={instance}
        ips={ips}
        hasInterface={interfaces.length > 0}
        floatingIps={floatingIps}
        pools={pools}
      />
      <NetworkInterfacesCard project={project} instance={instance} interfaces={interfaces} />
    </div>
  )
}
