import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'

import { sledPhysicalDiskList } from '~/api/generated/operations'
import { loadPage, pageSearch } from '~/api/list'
import { defineList, ListScreen, noRowActions, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
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

function SledDisksTab() {
  const page = useList(list, Route.useParams())
  return <ListScreen page={page} columns={sledDiskColumns} rowActions={noRowActions} />
}
