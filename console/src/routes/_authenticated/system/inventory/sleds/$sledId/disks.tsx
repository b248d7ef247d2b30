import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'

import { sledPhysicalDiskList } from '~/api/generated/operations'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { sledDiskColumns } from '~/resource/physical-disk-columns'
import { EmptyMessage } from '~/ui/empty-message'

const noDisks = (
  <EmptyMessage icon={<HardDrive />} title={text.noSledDisksTitle} body={text.noSledDisksHelp} />
)

const params = (sledId: string) => ({ path: { sledId } })

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId/disks')({
  validateSearch: pageSearch,
  loader: ({ context, params: { sledId }, location }) =>
    load(context.queryClient, listPage(sledPhysicalDiskList, params(sledId), location.search)),
  staticData: { crumb: { label: crumbs.disksLabel } },
  component: SledDisksTab,
})

const noActions = () => []

function SledDisksTab() {
  const { sledId } = Route.useParams()
  const page = useListPage(sledPhysicalDiskList, params(sledId))
  return (
    <ListTable
      label={text.sledDisksLabel}
      page={page}
      columns={sledDiskColumns}
      rowActions={noActions}
      empty={noDisks}
    />
  )
}
