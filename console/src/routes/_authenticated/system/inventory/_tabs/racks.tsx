import { createFileRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'

import { rackList } from '~/api/generated/operations'
import type { Rack } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const noRacks = <EmptyMessage icon={<Boxes />} title="No racks found" />

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/racks')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(rackList, {}, location.search)),
  staticData: { crumb: { label: 'Racks' } },
  component: RacksTab,
})

const columns: Column<Rack>[] = [
  { id: 'id', header: 'id', isName: true, width: 320, cell: ({ id }) => id },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'modified',
    header: 'last modified',
    width: 180,
    cell: ({ timeModified }) => <DateTime value={timeModified} />,
  },
]

const noActions = () => []

function RacksTab() {
  const page = useListPage(rackList, {})
  return (
    <ListTable label="Racks" page={page} columns={columns} rowActions={noActions} empty={noRacks} />
  )
}
