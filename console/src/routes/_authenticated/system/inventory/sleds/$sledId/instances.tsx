import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'

import { sledInstanceList } from '~/api/generated/operations'
import type { SledInstance } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { CpuCount } from '~/resource/instance-cells'
import { InstanceStateBadge } from '~/resource/instance-state-badge'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const noInstances = (
  <EmptyMessage
    icon={<Server />}
    title={text.noSledInstancesTitle}
    body={text.noSledInstancesHelp}
  />
)

const params = (sledId: string) => ({ path: { sledId } })

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId/instances')({
  validateSearch: pageSearch,
  loader: ({ context, params: { sledId }, location }) =>
    load(context.queryClient, listPage(sledInstanceList, params(sledId), location.search)),
  staticData: { crumb: { label: crumbs.instancesLabel } },
  component: SledInstancesTab,
})

const columns: Column<SledInstance>[] = [
  {
    id: 'name',
    header: text.nameLabel,
    isName: true,
    cell: ({ name, siloName, projectName }) => (
      <div className="min-w-0">
        <div className="truncate text-xs font-normal text-fg-subtle">
          {siloName} / {projectName}
        </div>
        <div className="truncate">{name}</div>
      </div>
    ),
  },
  {
    id: 'state',
    header: text.instanceStateLabel,
    width: 140,
    isKey: true,
    cell: ({ state }) => <InstanceStateBadge state={state} />,
  },
  {
    id: 'specs',
    header: text.specsLabel,
    width: 140,
    cell: ({ ncpus, memory }) => (
      <div>
        <div>
          <CpuCount count={ncpus} />
        </div>
        <ByteSize bytes={memory} />
      </div>
    ),
  },
  {
    id: 'created',
    header: text.createdLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

const noActions = () => []

function SledInstancesTab() {
  const { sledId } = Route.useParams()
  const page = useListPage(sledInstanceList, params(sledId))
  return (
    <ListTable
      label={text.sledInstancesLabel}
      page={page}
      columns={columns}
      rowActions={noActions}
      rowHeight="large"
      empty={noInstances}
    />
  )
}
