import { createFileRoute } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'

import { physicalDiskList } from '~/api/generated/operations'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { ListTable } from '~/app/list-table'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { physicalDiskColumns } from '~/resource/physical-disk-columns'
import { EmptyMessage } from '~/ui/empty-message'

const noDisks = (
  <EmptyMessage
    icon={<CircleAlert />}
    title={text.noPhysicalDisksTitle}
    body={text.noPhysicalDisksHelp}
  />
)

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/disks')({
  validateSearch: pageSearch,
  loader: ({ context, location }) =>
    load(context.queryClient, listPage(physicalDiskList, {}, location.search)),
  staticData: { crumb: { label: crumbs.disksLabel } },
  component: DisksTab,
})

const noActions = () => []

function DisksTab() {
  const page = useListPage(physicalDiskList, {})
  return (
    <ListTable
      label={text.physicalDisksLabel}
      page={page}
      columns={physicalDiskColumns}
      rowActions={noActions}
      empty={noDisks}
    />
  )
}
