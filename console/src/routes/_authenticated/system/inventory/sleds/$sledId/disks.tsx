import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'

import { sledPhysicalDiskList } from '~/api/generated/operations'
import type { PhysicalDisk } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { physicalDiskActions } from '~/resource/physical-disk-actions'
import { sledDiskColumns } from '~/resource/physical-disk-columns'

const params = ({ sledId }: { sledId: string }) => ({ path: { sledId } })

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId/disks')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, sledPhysicalDiskList, params(route.params)),
  staticData: { crumb: { label: crumbs.disksLabel } },
  component: SledDisksTab,
})

const list = defineList({
  operation: sledPhysicalDiskList,
  params,
  label: text.sledDisksLabel,
  icon: HardDrive,
  empty: { title: text.noSledDisksTitle, body: text.noSledDisksHelp },
})

const rowActions = (disk: PhysicalDisk) => menuEntries(physicalDiskActions(disk, true))

function SledDisksTab() {
  const page = useList(list, Route.useParams())
  return <ListScreen page={page} columns={sledDiskColumns} rowActions={rowActions} />
}
