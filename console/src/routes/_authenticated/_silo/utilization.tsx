import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'

import { currentUserProjectList, utilizationView } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-utilization-screens'
import { ProvisioningCharts } from '~/resource/provisioning-charts'
import { UtilizationSummary } from '~/resource/utilization-summary'

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
      <UtilizationSummary
        provisioned={provisioned}
        capacity={capacity}
        capacityLabel={text.quotaLabel}
        updatedAt={dataUpdatedAt}
        onRefresh={refetch}
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
