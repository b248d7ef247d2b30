import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { diskList, snapshotCreate, snapshotList, snapshotSearch } from '~/api/generated/operations'
import type { Snapshot } from '~/api/generated/types.gen'
import { allItems, listPage, pageSearch } from '~/api/list'
import { load, q } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/snapshot-screens'
import { DiskName } from '~/resource/disk-name'
import { inProject } from '~/resource/in-project'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { snapshotActions } from '~/resource/snapshot-actions'
import { SnapshotStateBadge, snapshotStates } from '~/resource/snapshot-state-badge'
import { ByteSize } from '~/ui/byte-size'
import type { Column } from '~/ui/table-column'

/** Names for the "disk" column, and the options of the form. Further disks are looked up one by one. */
const disks = (project: string) => q(diskList, { query: { project, limit: allItems } })

export const Route = createFileRoute('/_authenticated/projects/$project/_snapshots')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    Promise.all([
      load(context.queryClient, listPage(snapshotList, inProject(project), location.search)),
      load(context.queryClient, disks(project)),
    ]),
  staticData: {
    crumb: { label: crumbs.snapshotsLabel, to: ({ project }) => `/projects/${project}/snapshots` },
  },
  component: SnapshotsPage,
})

const list = defineList({
  operation: snapshotList,
  found: snapshotSearch,
  params: inProject,
  labels: (project) => ({ kind: 'snapshot', project, path: `/projects/${project}/snapshots` }),
  title: text.listTitle,
  label: text.tableLabel,
  icon: Camera,
  docs: {
    heading: text.docsTitle,
    summary: text.docsHelp,
    links: [{ label: text.docsLinkLabel, href: '/explorer?operation=snapshot_create' }],
  },
  create: {
    operation: snapshotCreate,
    path: (project) => `/projects/${project}/snapshots-new`,
    label: text.newButtonLabel,
  },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newButtonLabel,
    isPrimary: true,
  },
  goTo: {
    group: text.goToLabel,
    icon: Camera,
    path: ({ name }, project) => snapshotPath(project, name),
  },
})

const snapshotPath = (project: string, name: string) => `/projects/${project}/snapshots/${name}`

const columns = (project: string, diskNames: ReadonlyMap<string, string>): Column<Snapshot>[] => [
  nameColumn(({ name }) => snapshotPath(project, name)),
  descriptionColumn(240),
  {
    id: 'disk',
    filter: {},
    header: text.diskColumnLabel,
    value: ({ diskId }) => diskNames.get(diskId) ?? diskId,
    cell: ({ diskId }) => <DiskName project={project} diskId={diskId} names={diskNames} />,
  },
  {
    id: 'state',
    header: shared.stateColumnLabel,
    width: 110,
    isKey: true,
    filter: { choices: snapshotStates },
    value: ({ state }) => state,
    cell: ({ state }) => <SnapshotStateBadge state={state} />,
  },
  {
    id: 'size',
    filter: { by: 'size' },
    header: shared.sizeColumnLabel,
    width: 110,
    value: ({ size }) => size,
    cell: ({ size }) => <ByteSize bytes={size} />,
  },
  createdColumn(),
]

function SnapshotsPage() {
  const { project } = Route.useParams()
  const page = useList(list, project, {
    refetchInterval: ({ state }) =>
      state.data?.items.some((snapshot) => snapshot.state === 'creating') ? 3_000 : false,
  })
  const { data: known } = useQuery(disks(project))
  const diskNames = useMemo(() => new Map(known?.items.map(({ id, name }) => [id, name])), [known])
  return (
    <ListScreen
      page={page}
      columns={useMemo(() => columns(project, diskNames), [project, diskNames])}
      rowActions={useCallback(
        (row: Snapshot) => menuEntries(snapshotActions(row, project)),
        [project],
      )}
    />
  )
}
