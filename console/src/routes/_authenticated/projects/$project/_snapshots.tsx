import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Camera, ImagePlus, Trash2 } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { call } from '~/api/call'
import { diskList, snapshotCreate, snapshotDelete, snapshotList } from '~/api/generated/operations'
import type { Snapshot } from '~/api/generated/types.gen'
import { allItems, listPage, pageSearch, useListPage } from '~/api/list'
import { invalidate, load, q } from '~/api/query'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { DiskName } from '~/resource/disk-name'
import { SnapshotStateBadge } from '~/resource/snapshot-state-badge'
import { ByteSize } from '~/ui/byte-size'
import { confirmDelete } from '~/ui/confirm'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import type { MenuEntry } from '~/ui/menu'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import type { Column } from '~/ui/table-column'

const docs: PageDocs = {
  heading: 'snapshots',
  summary:
    'A snapshot captures the content of a disk at a point in time. New disks and images can be created from it.',
  links: [{ label: 'Snapshots in the API explorer', href: '/explorer?operation=snapshot_create' }],
}

const newSnapshotPath = (project: string) => `/projects/${project}/snapshots-new`

const params = (project: string) => ({ query: { project } })

/** Names for the "disk" column, and what the form offers; disks beyond these are looked up one by one. */
const disks = (project: string) => q(diskList, { query: { project, limit: allItems } })

export const Route = createFileRoute('/_authenticated/projects/$project/_snapshots')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    Promise.all([
      load(context.queryClient, listPage(snapshotList, params(project), location.search)),
      load(context.queryClient, disks(project)),
    ]),
  staticData: {
    crumb: { label: 'Snapshots', to: ({ project }) => `/projects/${project}/snapshots` },
  },
  component: SnapshotsPage,
})

const columns = (diskNames: ReadonlyMap<string, string>): Column<Snapshot>[] => [
  { id: 'name', header: 'name', isName: true, cell: ({ name }) => name },
  {
    id: 'description',
    header: 'description',
    width: 240,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'disk',
    header: 'disk',
    cell: ({ diskId }) => <DiskName diskId={diskId} names={diskNames} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 110,
    isKey: true,
    cell: ({ state }) => <SnapshotStateBadge state={state} />,
  },
  { id: 'size', header: 'size', width: 110, cell: ({ size }) => <ByteSize bytes={size} /> },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function confirmDeletion({ id, name }: Snapshot) {
  confirmDelete({
    label: name,
    action: async () => {
      await call(snapshotDelete, { path: { snapshot: id } })
      await invalidate(snapshotList)
    },
  })
}

const rowActions = (snapshot: Snapshot, project: string): MenuEntry[] => [
  {
    id: 'create-image',
    label: 'Create image',
    icon: ImagePlus,
    href: `/projects/${project}/snapshots/${snapshot.name}/images-new`,
  },
  {
    id: 'delete',
    label: 'Delete',
    destructive: true,
    icon: Trash2,
    needs: snapshotDelete,
    onAction: () => confirmDeletion(snapshot),
  },
]

function SnapshotsPage() {
  const { project } = Route.useParams()
  const page = useListPage(snapshotList, params(project), {
    refetchInterval: ({ state }) =>
      state.data?.items.some((snapshot) => snapshot.state === 'creating') ? 3_000 : false,
  })
  const { data: known } = useQuery(disks(project))
  const diskNames = useMemo(() => new Map(known?.items.map(({ id, name }) => [id, name])), [known])
  const path = newSnapshotPath(project)
  return (
    <>
      <PageHeader
        icon={<Camera />}
        title="Snapshots"
        docs={docs}
        actions={
          <NewLink needs={snapshotCreate} to={path}>
            New snapshot
          </NewLink>
        }
      />
      <ListTable
        label="Snapshots"
        page={page}
        columns={useMemo(() => columns(diskNames), [diskNames])}
        rowActions={useCallback((row: Snapshot) => rowActions(row, project), [project])}
        empty={
          <EmptyMessage
            icon={<Camera />}
            title="No snapshots"
            body="Create a snapshot to see it here"
            action={
              <ButtonLink needs={snapshotCreate} to={path} size="sm">
                New snapshot
              </ButtonLink>
            }
          />
        }
      />
      <Outlet />
    </>
  )
}
