import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { instanceCreate, instanceList, instanceSearch } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import { useIsLive } from '~/app/live-updates'
import * as text from '~/messages/instance-screens'
import * as shared from '~/messages/project-screens'
import { inProject } from '~/resource/in-project'
import { instanceActions, refreshInstances } from '~/resource/instance-actions'
import { CpuCount, InstanceStateCell } from '~/resource/instance-cells'
import { instanceDocs } from '~/resource/instance-docs'
import { instanceListPolling } from '~/resource/instance-polling'
import { InstanceRowButtons } from '~/resource/instance-row-buttons'
import { instanceStates } from '~/resource/instance-state-badge'
import { createdColumn, nameColumn } from '~/resource/list-columns'
import { useInstanceResize } from '~/resource/use-instance-resize'
import { ByteSize } from '~/ui/byte-size'
import { RefreshControl } from '~/ui/refresh-control'
import type { Column } from '~/ui/table-column'

import { instanceColumns } from './-instance-columns'
import { useInstancePanel } from './-use-instance-panel'

const storagePath = (project: string, { name }: Instance) =>
  `/projects/${project}/instances/${name}/storage`

export const Route = createFileRoute('/_authenticated/projects/$project/instances/')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, instanceList, inProject(route.params.project)),
  component: InstancesPage,
})

const list = defineList({
  operation: instanceList,
  found: instanceSearch,
  params: inProject,
  title: text.listTitle,
  label: text.tableLabel,
  icon: Server,
  docs: instanceDocs,
  create: {
    operation: instanceCreate,
    path: (project) => `/projects/${project}/instances-new`,
    label: text.newButtonLabel,
    action: text.newActionLabel,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newActionLabel,
    isPrimary: true,
  },
  labels: (project) => ({ kind: 'instance', project, path: `/projects/${project}/instances` }),
  goTo: { group: text.goToLabel, path: (instance, project) => storagePath(project, instance) },
})

const columns = (project: string, onDetails?: (name: string) => void): Column<Instance>[] => [
  nameColumn((row) => storagePath(project, row)),
  {
    id: 'cpu',
    filter: {},
    header: text.cpuColumnLabel,
    width: 110,
    value: ({ ncpus }) => ncpus,
    cell: ({ ncpus }) => <CpuCount count={ncpus} />,
  },
  {
    id: 'memory',
    filter: { by: 'size' },
    header: text.memoryColumnLabel,
    width: 110,
    value: ({ memory }) => memory,
    cell: (row) => <ByteSize bytes={row.memory} />,
  },
  {
    id: 'state',
    header: shared.stateColumnLabel,
    width: 240,
    isKey: true,
    filter: { choices: instanceStates },
    value: ({ runState }) => runState,
    cell: (row) => (
      <span className="flex items-center justify-between gap-2">
        <InstanceStateCell instance={row} />
        <InstanceRowButtons instance={row} project={project} onDetails={onDetails} />
      </span>
    ),
  },
  ...instanceColumns(project),
  createdColumn(),
]

/** A component of its own, because the page does not depend on whether changes arrive by themselves. */
const Refresh = ({ updatedAt }: { updatedAt: number }) => (
  <RefreshControl
    updatedAt={updatedAt}
    onRefresh={refreshInstances}
    explanation={useIsLive() ? text.liveText : text.pollingText}
  />
)

function InstancesPage() {
  const { project } = Route.useParams()
  const [polling] = useState(instanceListPolling)
  const page = useList(list, project, { refetchInterval: polling })
  const { open, beside } = useInstancePanel(project)
  const { openResize, resizeDialog } = useInstanceResize(project, true)

  const rowActions = useCallback(
    (instance: Instance) => menuEntries(instanceActions(instance, { project, openResize })),
    [project, openResize],
  )

  return beside(
    <ListScreen
      page={page}
      columns={useMemo(() => columns(project, open), [project, open])}
      rowActions={rowActions}
      actions={<Refresh updatedAt={page.updatedAt()} />}
    >
      {resizeDialog}
    </ListScreen>,
  )
}
