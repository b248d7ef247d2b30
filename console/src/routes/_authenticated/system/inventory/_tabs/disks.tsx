import { createFileRoute } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'

import { physicalDiskList } from '~/api/generated/operations'
import { loadPage, noParams, pageSearch } from '~/api/list'
import { defineList, ListScreen, noRowActions, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
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

function DisksTab() {
  const page = useList(list)
  return <ListScreen page={page} columns={physicalDiskColumns} rowActions={noRowActions} />
}
