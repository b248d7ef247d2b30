import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo } from 'react'

import { sledList } from '~/api/generated/operations'
import type { Sled } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { HardwareStateBadge, ProvisionPolicyBadge, SledKindBadge } from '~/resource/hardware-badges'
import { sledActions } from '~/resource/sled-actions'
import { SLEDS_PATH } from '~/resource/system-paths'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

const noSleds = <EmptyMessage icon={<Server />} title={text.noSledsTitle} />

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/sleds')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(sledList, {}, location.search)),
  staticData: { crumb: { label: crumbs.sledsLabel } },
  component: SledsTab,
})

const sledPath = ({ id }: Sled) => `${SLEDS_PATH}/${id}/instances`

const columns: Column<Sled>[] = [
  {
    id: 'id',
    header: text.idLabel,
    isName: true,
    width: 320,
    cell: (sled) => <LinkCell href={sledPath(sled)}>{sled.id}</LinkCell>,
  },
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
  {
    id: 'kind',
    header: text.kindLabel,
    group: text.policyLabel,
    width: 110,
    cell: ({ policy }) => <SledKindBadge policy={policy} />,
  },
  {
    id: 'provision-policy',
    header: text.provisionPolicyLabel,
    group: text.policyLabel,
    width: 160,
    cell: ({ policy }) => <ProvisionPolicyBadge policy={policy} />,
  },
  {
    id: 'state',
    header: text.stateLabel,
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
          group: text.goToSledLabel,
          icon: Server,
          href: sledPath(sled),
        })),
      [items],
    ),
  )
  return (
    <ListTable
      label={text.sledsLabel}
      page={page}
      columns={columns}
      rowActions={rowActions}
      empty={noSleds}
    />
  )
}
