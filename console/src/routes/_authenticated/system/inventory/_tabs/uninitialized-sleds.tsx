import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import { sledAdd, sledListUninitialized } from '~/api/generated/operations'
import type { UninitializedSled } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { useActions } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { addSledAction } from '~/resource/sled-actions'
import { Button } from '~/ui/button'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/uninitialized-sleds')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, sledListUninitialized, {}),
  staticData: { crumb: { label: crumbs.uninitializedSledsLabel } },
  component: UninitializedSledsTab,
})

const list = defineList({
  operation: sledListUninitialized,
  params: noParams,
  label: text.uninitializedSledsLabel,
  icon: Server,
  empty: { title: text.noUninitializedSledsTitle, body: text.noUninitializedSledsHelp },
  rowKey: ({ baseboard: { part, serial } }) => `${part} ${serial}`,
})

const columns: Column<UninitializedSled>[] = [
  {
    id: 'serial',
    header: text.serialNumberLabel,
    isName: true,
    cell: ({ baseboard }) => baseboard.serial,
  },
  {
    id: 'part',
    filter: {},
    header: text.partNumberLabel,
    width: 160,
    cell: ({ baseboard }) => baseboard.part,
  },
  {
    id: 'revision',
    filter: {},
    header: text.revisionLabel,
    width: 90,
    cell: ({ baseboard }) => baseboard.revision,
  },
  { id: 'cubby', header: text.cubbyLabel, width: 80, cell: ({ cubby }) => cubby },
  {
    id: 'rack',
    filter: {},
    header: text.rackIdLabel,
    width: 320,
    cell: ({ rackId }) => rackId,
  },
  {
    id: 'add',
    header: text.addColumnText,
    isHeaderHidden: true,
    width: 110,
    isKey: true,
    cell: (sled) => (
      <Button
        needs={sledAdd}
        variant="secondary"
        size="sm"
        aria-label={text.addNamedSledLabel(sled.baseboard.serial)}
        onPress={addSledAction(sled).perform}
      >
        {text.addSledLabel}
      </Button>
    ),
  },
]

function UninitializedSledsTab() {
  const page = useList(list)
  const { items } = page
  useActions(
    useMemo(
      () =>
        items.map((sled) => ({
          ...addSledAction(sled),
          label: text.addNamedSledLabel(sled.baseboard.serial),
        })),
      [items],
    ),
  )
  return <ListScreen page={page} columns={columns} />
}
