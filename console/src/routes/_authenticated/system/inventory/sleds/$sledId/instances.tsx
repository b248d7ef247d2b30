import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'

import { sledInstanceList } from '~/api/generated/operations'
import type { SledInstance } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { defineList, ListScreen, noRowActions, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/inventory-screens'
import { CpuCount } from '~/resource/instance-cells'
import { InstanceStateBadge } from '~/resource/instance-state-badge'
import { createdColumn } from '~/resource/list-columns'
import { ByteSize } from '~/ui/byte-size'
import type { Column } from '~/ui/table-column'

const params = ({ sledId }: { sledId: string }) => ({ path: { sledId } })

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId/instances')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, sledInstanceList, params(route.params)),
  staticData: { crumb: { label: crumbs.instancesLabel } },
  component: SledInstancesTab,
})

const list = defineList({
  operation: sledInstanceList,
  params,
  label: text.sledInstancesLabel,
  icon: Server,
  empty: { title: text.noSledInstancesTitle, body: text.noSledInstancesHelp },
})

const columns: Column<SledInstance>[] = [
  {
    id: 'name',
    filter: { value: ({ siloName, projectName }) => `${siloName}/${projectName}` },
    header: text.nameLabel,
    isName: true,
    value: ({ name, siloName, projectName }) => `${siloName}/${projectName}/${name}`,
    cell: ({ name, siloName, projectName }) => (
      <div className="min-w-0">
        <div className="truncate text-xs font-normal text-fg-subtle">
          {siloName} / {projectName}
        </div>
        <div className="truncate">{name}</div>
      </div>
    ),
  },
  {
    id: 'state',
    filter: {},
    header: text.instanceStateLabel,
    width: 140,
    isKey: true,
    value: ({ state }) => state,
    cell: ({ state }) => <InstanceStateBadge state={state} />,
  },
  {
    id: 'specs',
    header: text.specsLabel,
    width: 140,
    cell: ({ ncpus, memory }) => (
      <div>
        <div>
          <CpuCount count={ncpus} />
        </div>
        <ByteSize bytes={memory} />
      </div>
    ),
  },
  createdColumn(),
]

function SledInstancesTab() {
  const page = useList(list, Route.useParams())
  return <ListScreen page={page} columns={columns} rowActions={noRowActions} rowHeight="large" />
}
