import { createFileRoute } from '@tanstack/react-router'
import { Globe } from 'lucide-react'

import { ipPoolCreate, ipPoolList } from '~/api/generated/operations'
import type { IpPool } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ip-pool-screens'
import { ipPoolActions } from '~/resource/ip-pool-actions'
import { ipPoolDocs } from '~/resource/ip-pool-docs'
import { IpPoolUtilizationCell } from '~/resource/ip-pool-utilization-cell'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/networking/_ip-pools')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, ipPoolList, {}),
  staticData: { crumb: { label: crumbs.ipPoolsLabel, to: () => IP_POOLS_PATH } },
  component: IpPoolsPage,
})

const list = defineList({
  operation: ipPoolList,
  params: noParams,
  labels: () => ({ kind: 'ip_pool', path: IP_POOLS_PATH }),
  title: text.ipPoolsTitle,
  label: text.ipPoolsLabel,
  icon: Globe,
  docs: ipPoolDocs,
  create: {
    operation: ipPoolCreate,
    path: () => `${IP_POOLS_PATH}-new`,
    label: text.newIpPoolButtonLabel,
    action: text.newIpPoolLabel,
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp, button: text.newIpPoolLabel },
  goTo: {
    group: text.goToIpPoolLabel,
    icon: Globe,
    path: ({ name }) => `${IP_POOLS_PATH}/${name}`,
  },
})

const columns: Column<IpPool>[] = [
  nameColumn(({ name }) => `${IP_POOLS_PATH}/${name}`),
  descriptionColumn(280),
  {
    id: 'utilization',
    header: text.utilizationLabel,
    width: 230,
    isKey: true,
    cell: ({ name }) => <IpPoolUtilizationCell pool={name} />,
  },
  createdColumn(),
]

const rowActions = (pool: IpPool) => menuEntries(ipPoolActions(pool))

function IpPoolsPage() {
  return <ListScreen page={useList(list)} columns={columns} rowActions={rowActions} />
}
