import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { instanceCreate, instanceList } from '~/api/generated/operations'
import type { Instance } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import type { Action } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { useIsLive } from '~/app/live-updates'
import { NewLink } from '~/app/new-link'
import { instanceActions, refreshInstances } from '~/resource/instance-actions'
import { CpuCount, InstanceStateCell } from '~/resource/instance-cells'
import { instanceDocs } from '~/resource/instance-docs'
import { instanceListPolling } from '~/resource/instance-polling'
import { useInstanceResize } from '~/resource/use-instance-resize'
import { ByteSize } from '~/ui/byte-size'
import { DateTime } from '~/ui/date-time'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { PageHeader } from '~/ui/page-header'
import { RefreshControl } from '~/ui/refresh-control'
import type { Column } from '~/ui/table-column'

const newInstancePath = (project: string) => `/projects/${project}/instances-new`

const storagePath = (project: string, { name }: Instance) =>
  `/projects/${project}/instances/${name}/storage`

function NoInstances({ project }: { project: string }) {
  return (
    <EmptyMessage
      icon={<Server />}
      title="No instances"
      body="Create an instance to see it here"
      action={
        <ButtonLink needs={instanceCreate} to={newInstancePath(project)} size="sm">
          New instance
        </ButtonLink>
      }
    />
  )
}

const params = (project: string) => ({ query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/instances/')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    load(context.queryClient, listPage(instanceList, params(project), location.search)),
  component: InstancesPage,
})

const columns = (project: string): Column<Instance>[] => [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: (row) => <LinkCell href={storagePath(project, row)}>{row.name}</LinkCell>,
  },
  { id: 'cpu', header: 'CPU', width: 110, cell: ({ ncpus }) => <CpuCount count={ncpus} /> },
  { id: 'memory', header: 'Memory', width: 110, cell: (row) => <ByteSize bytes={row.memory} /> },
  {
    id: 'state',
    header: 'state',
    width: 180,
    isKey: true,
    cell: (row) => <InstanceStateCell instance={row} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: (row) => <DateTime value={row.timeCreated} />,
  },
]

function instancePlaces(project: string, instances: readonly Instance[]): Action[] {
  return instances.map((instance) => ({
    id: `go-to-instance-${instance.id}`,
    label: instance.name,
    group: 'Go to instance',
    href: storagePath(project, instance),
  }))
}

const LIVE = 'Live: changes appear as they happen.'
const POLLING = 'Polling: the list updates every minute, and every few seconds after an action.'

function InstancesPage() {
  const { project } = Route.useParams()
  const [polling] = useState(instanceListPolling)
  const page = useListPage(instanceList, params(project), { refetchInterval: polling })
  const { items } = page
  const { openResize, resizeDialog } = useInstanceResize(project, true)
  const explanation = useIsLive() ? LIVE : POLLING

  useActions(useMemo(() => instancePlaces(project, items), [project, items]))
  const rowActions = useCallback(
    (instance: Instance) => menuEntries(instanceActions(instance, { project, openResize })),
    [project, openResize],
  )

  return (
    <>
      <PageHeader
        icon={<Server />}
        title="Instances"
        docs={instanceDocs}
        actions={
          <>
            <RefreshControl
              updatedAt={page.updatedAt}
              onRefresh={refreshInstances}
              explanation={explanation}
            />
            <NewLink needs={instanceCreate} to={newInstancePath(project)} action="New instance">
              New Instance
            </NewLink>
          </>
        }
      />
      <ListTable
        label="Instances"
        page={page}
        columns={useMemo(() => columns(project), [project])}
        rowActions={rowActions}
        empty={<NoInstances project={project} />}
      />
      {resizeDialog}
    </>
  )
}
