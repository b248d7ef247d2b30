import { createFileRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'

import { rackList } from '~/api/generated/operations'
import type { Rack } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { createdColumn } from '~/resource/list-columns'
import { DateTime } from '~/ui/date-time'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/racks')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, rackList, {}),
  staticData: { crumb: { label: crumbs.racksLabel } },
  component: RacksTab,
})

const list = defineList({
  operation: rackList,
  params: noParams,
  label: text.racksLabel,
  icon: Boxes,
  empty: { title: text.noRacksTitle },
})

const columns: Column<Rack>[] = [
  { id: 'id', header: text.idLabel, isName: true, width: 320, cell: ({ id }) => id },
  createdColumn(),
  {
    id: 'modified',
    filter: { by: 'age' },
    header: text.lastModifiedLabel,
    width: 180,
    value: ({ timeModified }) => timeModified,
    cell: ({ timeModified }) => <DateTime value={timeModified} />,
  },
]

const rowActions = ({ id }: Rack) =>
  menuEntries([
    activityAction({ kind: 'rack', id, name: id }),
    codeAction(id, { kind: 'rack', id }),
  ])

function RacksTab() {
  const page = useList(list)
  return <ListScreen page={page} columns={columns} rowActions={rowActions} />
}
