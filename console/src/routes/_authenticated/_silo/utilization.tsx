import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'

import { currentUserProjectList, utilizationView } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-utilization-screens'
import { ProvisioningCharts } from '~/resource/provisioning-charts'
import { UtilizationBars } from '~/resource/utilization-bars'
import { utilizationDocs } from '~/resource/utilization-docs'
import { PageHeader } from '~/ui/page-header'
import { RefreshControl } from '~/ui/refresh-control'

const utilization = q(utilizationView, {})
/** The projects that the user may view. */
const allProjects = q(currentUserProjectList, { query: { limit: allItems } })

export const Route = createFileRoute('/_authenticated/_silo/utilization')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([load(queryClient, utilization), load(queryClient, allProjects)]),
  staticData: { crumb: { label: crumbs.utilizationLabel } },
  component: Utilization,
})

function Utilization() {
  const { provisioned, capacity } = useLoaded(utilization)
  const projects = useLoaded(allProjects).items
  const { dataUpdatedAt, refetch } = useQuery(utilization)
  return (
    <>
      <PageHeader
        icon={<ChartColumn />}
        title={text.utilizationTitle}
        docs={utilizationDocs}
        actions={<RefreshControl updatedAt={dataUpdatedAt} onRefresh={refetch} />}
      />
      <UtilizationBars
        provisioned={provisioned}
        capacity={capacity}
        capacityLabel={text.quotaLabel}
      />
      <h2 className="mt-6 mb-3 text-base font-semibold">{text.historyTitle}</h2>
      <ProvisioningCharts
        level="silo"
        chooseLabel={text.chooseAProjectLabel}
        allLabel={text.allProjectsLabel}
        options={projects}
      />
    </>
  )
}
