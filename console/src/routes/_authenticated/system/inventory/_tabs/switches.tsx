import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { switchList } from '~/api/generated/operations'
import type { Switch } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const noSwitches = (
  <EmptyMessage icon={<Network />} title={text.noSwitchesTitle} body={text.noSwitchesHelp} />
)

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/switches')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(switchList, {}, location.search)),
  staticData: { crumb: { label: crumbs.switchesLabel } },
  component: SwitchesTab,
})

const columns: Column<Switch>[] = [
  { id: 'id', header: text.idLabel, isName: true, width: 320, cell: ({ id }) => id },
  {
    id: 'part',
    header: text.partNumberLabel,
    group: text.baseboardLabel,
    width: 150,
    cell: ({ baseboard }) => baseboard.part,
  },
  {
    id: 'serial',
    header: text.serialNumberLabel,
    group: text.baseboardLabel,
    width: 170,
    cell: ({ baseboard }) => baseboard.serial,
  },
  {
    id: 'revision',
    header: text.revisionLabel,
    group: text.baseboardLabel,
    width: 90,
    cell: ({ baseboard }) => baseboard.revision,
  },
  { id: 'rack', header: text.rackIdLabel, width: 320, cell: ({ rackId }) => rackId },
]

const noActions = () => []

function SwitchesTab() {
  const page = useListPage(switchList, {})
  return (
    <ListTable
      label={text.switchesLabel}
      page={page}
      columns={columns}
      rowActions={noActions}
      empty={noSwitches}
    />
  )
}
