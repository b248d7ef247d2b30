import { createFileRoute } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'

import { physicalDiskList } from '~/api/generated/operations'
import type { PhysicalDisk } from '~/api/generated/types.gen'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { physicalDiskActions } from '~/resource/physical-disk-actions'
import { physicalDiskColumns } from '~/resource/physical-disk-columns'

export const Route = createFileRoute('/_authenticated/system/inventory/_tabs/disks')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, physicalDiskList, {}),
  staticData: { crumb: { label: crumbs.disksLabel } },
  component: DisksTab,
})

const list = defineList({
  operation: physicalDiskList,
  params: noParams,
  label: text.physicalDisksLabel,
  icon: CircleAlert,
  empty: { title: text.noPhysicalDisksTitle, body: text.noPhysicalDisksHelp },
})

const rowActions = (disk: PhysicalDisk) => menuEntries(physicalDiskActions(disk, false))

function DisksTab() {
  const page = useList(list)
  return <ListScreen page={page} columns={physicalDiskColumns} rowActions={rowActions} />
}
