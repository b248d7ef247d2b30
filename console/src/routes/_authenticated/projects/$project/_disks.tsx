import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'

import { diskCreate, diskList, instanceList, diskSearch } from '~/api/generated/operations'
import type { Disk } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load, q } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as text from '~/messages/disk-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { diskActions } from '~/resource/disk-actions'
import { diskInterval } from '~/resource/disk-polling'
import { diskInstanceId } from '~/resource/disk-state'
import { DiskStateBadge, diskStates } from '~/resource/disk-state-badge'
import { inProject } from '~/resource/in-project'
import { InstanceLink } from '~/resource/instance-link'
import { createdColumn, nameColumn } from '~/resource/list-columns'
import { ByteSize } from '~/ui/byte-size'
import { onDemand } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

const AttachToInstance = onDemand(
  async () => (await import('~/resource/disk-attach-to-instance')).AttachToInstance,
)

/** Names for the "Attached to" column. Further instances are looked up one by one. */
const instances = (project: string) => q(instanceList, { query: { project, limit: 200 } })

export const Route = createFileRoute('/_authenticated/projects/$project/_disks')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    Promise.all([
      load(context.queryClient, listPage(diskList, inProject(project), location.search)),
      load(context.queryClient, instances(project)),
    ]),
  staticData: {
    crumb: { label: crumbs.disksLabel, to: ({ project }) => `/projects/${project}/disks` },
  },
  component: DisksPage,
})

const list = defineList({
  operation: diskList,
  found: diskSearch,
  params: inProject,
  labels: (project) => ({ kind: 'disk', project, path: `/projects/${project}/disks` }),
  title: text.listTitle,
  label: text.tableLabel,
  icon: HardDrive,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [{ label: text.docsLinkLabel, href: '/explorer?operation=disk_list' }],
  },
  create: {
    operation: diskCreate,
    path: (project) => `/projects/${project}/disks-new`,
    label: text.newButtonLabel,
    action: text.newActionLabel,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newActionLabel,
    isPrimary: true,
  },
  goTo: {
    group: text.goToLabel,
    icon: HardDrive,
    path: ({ name }, project) => diskPath(project, name),
  },
})

const diskPath = (project: string, name: string) => `/projects/${project}/disks/${name}`

const columns = (project: string, names: ReadonlyMap<string, string>): Column<Disk>[] => [
  nameColumn(({ name }) => diskPath(project, name)),
  {
    id: 'instance',
    filter: {},
    header: text.attachedToColumnLabel,
    width: 200,
    value: (row) => names.get(diskInstanceId(row) ?? '') ?? diskInstanceId(row),
    cell: (row) => (
      <InstanceLink project={project} instanceId={diskInstanceId(row)} names={names} />
    ),
  },
  {
    id: 'size',
    filter: { by: 'size' },
    header: shared.sizeColumnLabel,
    width: 110,
    value: ({ size }) => size,
    cell: (row) => <ByteSize bytes={row.size} />,
  },
  {
    id: 'state',
    header: shared.stateColumnLabel,
    width: 150,
    isKey: true,
    filter: { choices: diskStates },
    value: ({ state }) => state.state,
    cell: (row) => <DiskStateBadge state={row.state.state} />,
  },
  createdColumn(),
]

function DisksPage() {
  const { project } = Route.useParams()
  const page = useList(list, project, {
    refetchInterval: ({ state }) => diskInterval(state.data?.items),
  })
  const { data: attached } = useQuery(instances(project))
  const names = useMemo(
    () => new Map(attached?.items.map(({ id, name }) => [id, name])),
    [attached],
  )
  const [attaching, setAttaching] = useState<Disk>()
  const close = useCallback(() => setAttaching(undefined), [])

  const rowActions = useCallback(
    (disk: Disk) => {
      const instance = attached?.items.find(({ id }) => id === diskInstanceId(disk))
      return menuEntries(diskActions(disk, { project, instance, openAttach: setAttaching }))
    },
    [project, attached],
  )

  return (
    <ListScreen
      page={page}
      columns={useMemo(() => columns(project, names), [project, names])}
      rowActions={rowActions}
    >
      {attaching && (
        <AttachToInstance project={project} disk={attaching} onDismiss={close} onMissing={close} />
      )}
    </ListScreen>
  )
}
