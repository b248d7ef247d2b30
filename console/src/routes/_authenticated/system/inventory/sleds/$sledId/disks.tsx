import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'

import { sledPhysicalDiskList } from '~/api/generated/operations'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import { sledDiskColumns } from '~/resource/physical-disk-columns'
import { EmptyMessage } from '~/ui/empty-message'

const noDisks = (
  <EmptyMessage
    icon={<HardDrive />}
    title="No disks found"
    body="Physical disks of the sled will be shown here"
  />
)

const params = (sledId: string) => ({ path: { sledId } })

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId/disks')({
  validateSearch: pageSearch,
  loader: ({ context, params: { sledId }, location }) =>
    load(context.queryClient, listPage(sledPhysicalDiskList, params(sledId), location.search)),
  staticData: { crumb: { label: 'Disks' } },
  component: SledDisksTab,
})

const noActions = () => []

function SledDisksTab() {
  const { sledId } = Route.useParams()
  const page = useListPage(sledPhysicalDiskList, params(sledId))
  return (
    <ListTable
      label="Disks of the sled"
      page={page}
      columns={sledDiskColumns}
      rowActions={noActions}
      empty={noDisks}
    />
  )
}
