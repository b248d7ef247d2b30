import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'

import { load } from '~/api/query'
import { QueryTabs } from '~/app/query-tabs'
import { tabSearch } from '~/app/tab-search'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/topology-screens'
import { topologyPath } from '~/resource/vpc-path'
import { projectInstances, vpcGateways, vpcRouters, vpcSubnets } from '~/resource/vpc-queries'
import { Skeleton } from '~/ui/skeleton'

import { Diagram } from './-topology/diagram'
import { Outline } from './-topology/outline'
import { useTopology } from './-topology/use-topology'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/topology')({
  // Either can be the default tab. The URL names the other one.
  validateSearch: tabSearch(['', 'diagram', 'list']),
  loader: ({ context: { queryClient }, params: { project, vpc } }) =>
    Promise.all([
      load(queryClient, vpcSubnets({ project, vpc })),
      load(queryClient, vpcRouters({ project, vpc })),
      load(queryClient, vpcGateways({ project, vpc })),
      load(queryClient, projectInstances(project)),
    ]),
  staticData: { crumb: { label: crumbs.topologyLabel } },
  component: TopologyTab,
})

/** A narrow screen shows only a small part of the diagram, so the list is the default there. */
const hasRoomForPicture = () => matchMedia('(min-width: 768px)').matches

/** The parts of a VPC and their connections, as a diagram or as a list. */
function TopologyTab() {
  const { project, vpc } = Route.useParams()
  const { tab } = Route.useSearch()
  const [isPictureFirst] = useState(hasRoomForPicture)
  const state = useTopology({ project, vpc })
  if (!state) return <Skeleton className="h-80 w-full" />
  const shown = { topology: state.topology, onUnfold: state.toggle }
  const diagram = { id: 'diagram', label: text.diagramLabel, content: <Diagram {...shown} /> }
  const list = { id: 'list', label: text.listLabel, content: <Outline {...shown} /> }
  return (
    <QueryTabs
      label={text.viewLabel}
      path={topologyPath({ project, vpc })}
      selected={tab}
      items={isPictureFirst ? [diagram, list] : [list, diagram]}
    />
  )
}
