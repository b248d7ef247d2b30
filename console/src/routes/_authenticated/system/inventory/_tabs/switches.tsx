import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { switchList } from '~/api/generated/operations'
import type { Switch } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const noSwitches = (
  <EmptyMessage
    icon={<Network />}
    title="No switches found"
    body="Switches that connect the sleds of a rack will appear here"
  />
)

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/switches')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(switchList, {}, location.search)),
  staticData: { crumb: { label: 'Switches' } },
  component: SwitchesTab,
})

const columns: Column<Switch>[] = [
  { id: 'id', header: 'id', isName: true, width: 320, cell: ({ id }) => id },
  {
    id: 'part',
    header: 'part number',
    group: 'Baseboard',
    width: 150,
    cell: ({ baseboard }) => baseboard.part,
  },
  {
    id: 'serial',
    header: 'serial number',
    group: 'Baseboard',
    width: 170,
    cell: ({ baseboard }) => baseboard.serial,
  },
  {
    id: 'revision',
    header: 'revision',
    group: 'Baseboard',
    width: 90,
    cell: ({ baseboard }) => baseboard.revision,
  },
  { id: 'rack', header: 'rack id', width: 320, cell: ({ rackId }) => rackId },
]

const noActions = () => []

function SwitchesTab() {
  const page = useListPage(switchList, {})
  return (
    <ListTable
      label="Switches"
      page={page}
      columns={columns}
      rowActions={noActions}
      empty={noSwitches}
    />
  )
}
