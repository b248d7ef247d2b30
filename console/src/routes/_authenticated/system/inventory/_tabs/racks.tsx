import { createFileRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'

import { rackList } from '~/api/generated/operations'
import type { Rack } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const noRacks = <EmptyMessage icon={<Boxes />} title={text.noRacksTitle} />

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/racks')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(rackList, {}, location.search)),
  staticData: { crumb: { label: crumbs.racksLabel } },
  component: RacksTab,
})

const columns: Column<Rack>[] = [
  { id: 'id', header: text.idLabel, isName: true, width: 320, cell: ({ id }) => id },
  {
    id: 'created',
    header: text.createdLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
  {
    id: 'modified',
    header: text.lastModifiedLabel,
    width: 180,
    cell: ({ timeModified }) => <DateTime value={timeModified} />,
  },
]

const noActions = () => []

function RacksTab() {
  const page = useListPage(rackList, {})
  return (
    <ListTable
      label={text.racksLabel}
      page={page}
      columns={columns}
      rowActions={noActions}
      empty={noRacks}
    />
  )
}
