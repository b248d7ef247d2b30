import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'

import { utilizationView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { UtilizationBars } from '~/resource/utilization-bars'
import { utilizationDocs } from '~/resource/utilization-docs'
import { EmptyMessage } from '~/ui/empty-message'
import { PageHeader } from '~/ui/page-header'
import { RefreshControl } from '~/ui/refresh-control'

const utilization = q(utilizationView, {})

export const Route = createFileRoute('/_authenticated/_silo/utilization')({
  loader: ({ context }) => load(context.queryClient, utilization),
  staticData: { crumb: { label: 'Utilization' } },
  component: Utilization,
})

function Utilization() {
  const { provisioned, capacity } = useLoaded(utilization)
  const { dataUpdatedAt, refetch } = useQuery(utilization)
  return (
    <>
      <PageHeader
        icon={<ChartColumn />}
        title="Utilization"
        docs={utilizationDocs}
        actions={<RefreshControl updatedAt={dataUpdatedAt} onRefresh={refetch} />}
      />
      <UtilizationBars provisioned={provisioned} capacity={capacity} capacityLabel="Quota" />
      <section aria-label="History" className="mt-4 rounded-md border border-line px-4 py-10">
        <EmptyMessage
          icon={<ChartColumn />}
          title="No history yet"
          body="The bars show what is taken now. This version of Croft does not record how it changes over time; charts will stand here once it does."
        />
      </section>
    </>
  )
}
