import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { useMemo } from 'react'

import { ipPoolCreate, ipPoolList } from '~/api/generated/operations'
import type { IpPool } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { ipPoolActions } from '~/resource/ip-pool-actions'
import { ipPoolDocs } from '~/resource/ip-pool-docs'
import { IpPoolUtilizationCell } from '~/resource/ip-pool-utilization-cell'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { PageHeader } from '~/ui/page-header'
import type { Column } from '~/ui/table-column'

const newPoolPath = '/system/networking/ip-pools-new'

const noPools = (
  <EmptyMessage
    icon={<Globe />}
    title="No IP pools"
    body="Create an IP pool to see it here"
    action={
      <ButtonLink needs={ipPoolCreate} to={newPoolPath} variant="secondary" size="sm">
        New IP pool
      </ButtonLink>
    }
  />
)

export const Route = createFileRoute('/_authenticated/system/networking/_ip-pools')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(ipPoolList, {}, location.search)),
  staticData: { crumb: { label: 'IP Pools', to: () => IP_POOLS_PATH } },
  component: IpPoolsPage,
})

const columns: Column<IpPool>[] = [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name }) => <LinkCell href={`${IP_POOLS_PATH}/${name}`}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: 'description',
    width: 280,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'utilization',
    header: 'Utilization',
    width: 230,
    isKey: true,
    cell: ({ name }) => <IpPoolUtilizationCell pool={name} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

const rowActions = (pool: IpPool) => menuEntries(ipPoolActions(pool))

function IpPoolsPage() {
  const page = useListPage(ipPoolList, {})
  const { items } = page
  useActions(
    useMemo(
      () =>
        items.map(({ id, name }) => ({
          id,
          label: name,
          group: 'Go to IP pool',
          icon: Globe,
          href: `${IP_POOLS_PATH}/${name}`,
        })),
      [items],
    ),
  )
  return (
    <>
      <PageHeader
        icon={<Globe />}
        title="IP Pools"
        docs={ipPoolDocs}
        actions={
          <NewLink needs={ipPoolCreate} to={newPoolPath} action="New IP pool">
            New IP Pool
          </NewLink>
        }
      />
      <ListTable
        label="IP pools"
        page={page}
        columns={columns}
        rowActions={rowActions}
        empty={noPools}
      />
      <Outlet />
    </>
  )
}
