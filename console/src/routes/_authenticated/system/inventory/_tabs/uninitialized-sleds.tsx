import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import { sledAdd, sledListUninitialized } from '~/api/generated/operations'
import type { UninitializedSled } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { addSledAction } from '~/resource/sled-actions'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const nothingNew = (
  <EmptyMessage
    icon={<Server />}
    title={text.noUninitializedSledsTitle}
    body={text.noUninitializedSledsHelp}
  />
)

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/uninitialized-sleds')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(sledListUninitialized, {}, location.search)),
  staticData: { crumb: { label: crumbs.uninitializedSledsLabel } },
  component: UninitializedSledsTab,
})

const columns: Column<UninitializedSled>[] = [
  {
    id: 'serial',
    header: text.serialNumberLabel,
    isName: true,
    cell: ({ baseboard }) => baseboard.serial,
  },
  { id: 'part', header: text.partNumberLabel, width: 160, cell: ({ baseboard }) => baseboard.part },
  {
    id: 'revision',
    header: text.revisionLabel,
    width: 90,
    cell: ({ baseboard }) => baseboard.revision,
  },
  { id: 'cubby', header: text.cubbyLabel, width: 80, cell: ({ cubby }) => cubby },
  { id: 'rack', header: text.rackIdLabel, width: 320, cell: ({ rackId }) => rackId },
  {
    id: 'add',
    header: <span className="sr-only">{text.addColumnText}</span>,
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

const rowKey = ({ baseboard: { part, serial } }: UninitializedSled) => `${part} ${serial}`

function UninitializedSledsTab() {
  const page = useListPage(sledListUninitialized, {})
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
  return (
    <ListTable
      label={text.uninitializedSledsLabel}
      page={page}
      columns={columns}
      rowKey={rowKey}
      empty={nothingNew}
    />
  )
}
