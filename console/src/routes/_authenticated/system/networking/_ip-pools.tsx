import { createFileRoute } from '@tanstack/react-router'
import { Globe } from 'lucide-react'

import { ipPoolCreate, ipPoolList } from '~/api/generated/operations'
import type { IpPool } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ip-pool-screens'
import { ipPoolActions } from '~/resource/ip-pool-actions'
import { ipPoolDocs } from '~/resource/ip-pool-docs'
import { IpPoolUtilizationCell } from '~/resource/ip-pool-utilization-cell'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/system/networking/_ip-pools')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(ipPoolList, {}, location.search)),
  staticData: { crumb: { label: crumbs.ipPoolsLabel, to: () => IP_POOLS_PATH } },
  component: IpPoolsPage,
})

const list = defineList({
  operation: ipPoolList,
  params: () => ({}),
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
  {
    id: 'name',
    header: text.nameColumnLabel,
    isName: true,
    cell: ({ name }) => <LinkCell href={`${IP_POOLS_PATH}/${name}`}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: text.descriptionColumnLabel,
    width: 280,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'utilization',
    header: text.utilizationLabel,
    width: 230,
    isKey: true,
    cell: ({ name }) => <IpPoolUtilizationCell pool={name} />,
  },
  {
    id: 'created',
    header: text.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

const rowActions = (pool: IpPool) => menuEntries(ipPoolActions(pool))

function IpPoolsPage() {
  return (
    <ListScreen
      list={list}
      place={undefined}
      page={useList(list, undefined)}
      columns={columns}
      rowActions={rowActions}
    />
  )
}
