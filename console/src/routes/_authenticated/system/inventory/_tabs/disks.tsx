import { createFileRoute } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'

import { physicalDiskList } from '~/api/generated/operations'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import { physicalDiskColumns } from '~/resource/physical-disk-columns'
import { EmptyMessage } from '~/ui/empty-message'

const noDisks = (
  <EmptyMessage
    icon={<CircleAlert />}
    title="Something went wrong"
    body="No physical disks were found. Check that the sleds can be reached."
  />
)

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/disks')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(physicalDiskList, {}, location.search)),
  staticData: { crumb: { label: 'Disks' } },
  component: DisksTab,
})

const noActions = () => []

function DisksTab() {
  const page = useListPage(physicalDiskList, {})
  return (
    <ListTable
      label="Physical disks"
      page={page}
      columns={physicalDiskColumns}
      rowActions={noActions}
      empty={noDisks}
    />
  )
}
