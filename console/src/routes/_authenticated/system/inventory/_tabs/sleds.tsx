import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'

import { sledList } from '~/api/generated/operations'
import type { Sled } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { baseboardColumns } from '~/resource/baseboard-columns'
import { HardwareStateBadge, ProvisionPolicyBadge, SledKindBadge } from '~/resource/hardware-badges'
import { sledActions } from '~/resource/sled-actions'
import { SLEDS_PATH } from '~/resource/system-paths'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/sleds')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, sledList, {}),
  staticData: { crumb: { label: crumbs.sledsLabel } },
  component: SledsTab,
})

const sledPath = ({ id }: Sled) => `${SLEDS_PATH}/${id}/instances`

const list = defineList({
  operation: sledList,
  params: noParams,
  label: text.sledsLabel,
  icon: Server,
  empty: { title: text.noSledsTitle },
  goTo: {
    group: text.goToSledLabel,
    icon: Server,
    label: ({ baseboard }) => baseboard.serial,
    path: sledPath,
  },
})

const columns: Column<Sled>[] = [
  {
    id: 'id',
    header: text.idLabel,
    isName: true,
    width: 320,
    value: ({ id }) => id,
    cell: (sled) => <LinkCell href={sledPath(sled)}>{sled.id}</LinkCell>,
  },
  ...baseboardColumns,
  {
    id: 'kind',
    filter: {},
    header: text.kindLabel,
    group: text.policyLabel,
    width: 110,
    value: ({ policy }) => policy.kind,
    cell: ({ policy }) => <SledKindBadge policy={policy} />,
  },
  {
    id: 'provision-policy',
    filter: {},
    header: text.provisionPolicyLabel,
    group: text.policyLabel,
    width: 160,
    value: ({ policy }) => ('provisionPolicy' in policy ? policy.provisionPolicy : undefined),
    cell: ({ policy }) => <ProvisionPolicyBadge policy={policy} />,
  },
  {
    id: 'state',
    filter: {},
    header: text.stateLabel,
    width: 120,
    value: ({ state }) => state,
    cell: ({ state }) => <HardwareStateBadge state={state} />,
  },
]

const rowActions = (sled: Sled) => menuEntries(sledActions(sled))

function SledsTab() {
  return <ListScreen page={useList(list)} columns={columns} rowActions={rowActions} />
}
