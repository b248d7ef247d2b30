import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import { sledAdd, sledListUninitialized } from '~/api/generated/operations'
import type { UninitializedSled } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { useActions } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import { addSledAction } from '~/resource/sled-actions'
import { Button } from '~/ui/button'
import { EmptyMessage } from '~/ui/empty-message'
import type { Column } from '~/ui/table-column'

const nothingNew = (
  <EmptyMessage
    icon={<Server />}
    title="No uninitialized sleds"
    body="Sleds that are installed in a rack but not yet part of the system will appear here"
  />
)

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/uninitialized-sleds')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(sledListUninitialized, {}, location.search)),
  staticData: { crumb: { label: 'Uninitialized sleds' } },
  component: UninitializedSledsTab,
})

const columns: Column<UninitializedSled>[] = [
  {
    id: 'serial',
    header: 'serial number',
    isName: true,
    cell: ({ baseboard }) => baseboard.serial,
  },
  { id: 'part', header: 'part number', width: 160, cell: ({ baseboard }) => baseboard.part },
  { id: 'revision', header: 'revision', width: 90, cell: ({ baseboard }) => baseboard.revision },
  { id: 'cubby', header: 'cubby', width: 80, cell: ({ cubby }) => cubby },
  { id: 'rack', header: 'rack id', width: 320, cell: ({ rackId }) => rackId },
  {
    id: 'add',
    header: <span className="sr-only">Add</span>,
    width: 110,
    isKey: true,
    cell: (sled) => (
      <Button
        needs={sledAdd}
        variant="secondary"
        size="sm"
        aria-label={`Add sled ${sled.baseboard.serial}`}
        onPress={addSledAction(sled).perform}
      >
        Add sled
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
          label: `Add sled ${sled.baseboard.serial}`,
        })),
      [items],
    ),
  )
  return (
    <ListTable
      label="Uninitialized sleds"
      page={page}
      columns={columns}
      rowKey={rowKey}
      empty={nothingNew}
    />
  )
}
