import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import { sledList } from '~/api/generated/operations'
import type { Sled } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import { HardwareStateBadge, ProvisionPolicyBadge, SledKindBadge } from '~/resource/hardware-badges'
import { sledActions } from '~/resource/sled-actions'
import { SLEDS_PATH } from '~/resource/system-paths'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

const noSleds = <EmptyMessage icon={<Server />} title="No sleds found" />

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/sleds')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(sledList, {}, location.search)),
  staticData: { crumb: { label: 'Sleds' } },
  component: SledsTab,
})

const sledPath = ({ id }: Sled) => `${SLEDS_PATH}/${id}/instances`

const columns: Column<Sled>[] = [
  {
    id: 'id',
    header: 'id',
    isName: true,
    width: 320,
    cell: (sled) => <LinkCell href={sledPath(sled)}>{sled.id}</LinkCell>,
  },
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
  {
    id: 'kind',
    header: 'Kind',
    group: 'Policy',
    width: 110,
    cell: ({ policy }) => <SledKindBadge policy={policy} />,
  },
  {
    id: 'provision-policy',
    header: 'Provision policy',
    group: 'Policy',
    width: 160,
    cell: ({ policy }) => <ProvisionPolicyBadge policy={policy} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 120,
    cell: ({ state }) => <HardwareStateBadge state={state} />,
  },
]

const rowActions = (sled: Sled) => menuEntries(sledActions(sled))

function SledsTab() {
  const page = useListPage(sledList, {})
  const { items } = page
  useActions(
    useMemo(
      () =>
        items.map((sled) => ({
          id: sled.id,
          label: sled.baseboard.serial,
          group: 'Go to sled',
          icon: Server,
          href: sledPath(sled),
        })),
      [items],
    ),
  )
  return (
    <ListTable
      label="Sleds"
      page={page}
      columns={columns}
      rowActions={rowActions}
      empty={noSleds}
    />
  )
}
