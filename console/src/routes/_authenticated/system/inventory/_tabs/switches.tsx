import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'

import { switchList } from '~/api/generated/operations'
import type { Switch } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { baseboardColumns } from '~/resource/baseboard-columns'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/switches')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, switchList, {}),
  staticData: { crumb: { label: crumbs.switchesLabel } },
  component: SwitchesTab,
})

const list = defineList({
  operation: switchList,
  params: noParams,
  label: text.switchesLabel,
  icon: Network,
  empty: { title: text.noSwitchesTitle, body: text.noSwitchesHelp },
})

const columns: Column<Switch>[] = [
  { id: 'id', header: text.idLabel, isName: true, width: 320, cell: ({ id }) => id },
  ...baseboardColumns,
  {
    id: 'rack',
    filter: {},
    header: text.rackIdLabel,
    width: 320,
    cell: ({ rackId }) => rackId,
  },
]

const rowActions = ({ id, baseboard }: Switch) =>
  menuEntries([
    activityAction({ kind: 'switch', id, name: baseboard.serial }),
    codeAction(id, { kind: 'switch', id }),
  ])

function SwitchesTab() {
  const page = useList(list)
  return <ListScreen page={page} columns={columns} rowActions={rowActions} />
}
