import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'

import { diskCreate, instanceDiskAttach, instanceDiskList } from '~/api/generated/operations'
import type { Disk, Instance } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import type { Action } from '~/app/action-registry'
import * as text from '~/messages/instance-storage-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { diskInterval } from '~/resource/disk-polling'
import { DiskStateBadge } from '~/resource/disk-state-badge'
import { additionalDiskActions, bootDiskActions } from '~/resource/instance-disk-actions'
import { instanceRefusal } from '~/resource/instance-state'
import { createdColumn, nameColumn } from '~/resource/list-columns'
import { Button } from '~/ui/button'
import { ByteSize } from '~/ui/byte-size'
import { CardBlock } from '~/ui/card-block'
import { EmptyMessage } from '~/ui/empty-message'
import { onDemand } from '~/ui/on-demand'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

import { instanceQuery } from '../-instance-queries'
import type { InstanceParams } from '../-instance-queries'

const AttachDisk = onDemand(async () => (await import('../-attach-disk')).AttachDisk)
const CreateDisk = onDemand(async () => (await import('../-create-disk')).CreateDisk)

const noOtherDisks = (
  <EmptyMessage icon={<HardDrive />} title={text.noOtherDisksTitle} body={text.noOtherDisksHelp} />
)

/** Says what the instance starts from without a boot disk, which depends on the number of its disks. */
function NoBootDisk({ others }: { others: readonly Disk[] }) {
  const [first] = others
  let advice: ReactNode = text.noDiskText
  if (first && others.length === 1) {
    advice = text.onlyDiskText(first.name)
  } else if (first) {
    advice = text.noBootDiskText
  }
  return <EmptyMessage icon={<HardDrive />} title={text.noBootDiskTitle} body={advice} />
}

// An instance has at most 8 disks, so one page holds them all.
const attached = ({ project, instance }: InstanceParams) =>
  q(
    instanceDiskList,
    { path: { instance }, query: { project } },
    { refetchInterval: ({ state: { data } }) => diskInterval(data?.items) },
  )

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/storage',
)({
  loader: ({ context, params }) =>
    Promise.all([
      load(context.queryClient, attached(params)),
      load(context.queryClient, instanceQuery(params)),
    ]),
  staticData: { crumb: { label: crumbs.storageLabel } },
  component: StorageTab,
})

const columns = (project: string): Column<Disk>[] => [
  {
    ...nameColumn(({ name }) => `/projects/${project}/disks/${name}`),
    header: text.diskColumnLabel,
  },
  {
    id: 'size',
    header: shared.sizeColumnLabel,
    width: 110,
    cell: ({ size }) => <ByteSize bytes={size} />,
  },
  {
    id: 'state',
    header: shared.stateColumnLabel,
    width: 150,
    isKey: true,
    cell: ({ state }) => <DiskStateBadge state={state.state} />,
  },
  createdColumn(),
]

function StorageTab() {
  const params = Route.useParams()
  const instance = useLoaded(instanceQuery(params))
  const { items } = useLoaded(attached(params))
  const [dialog, setDialog] = useState<'attach' | 'create'>()
  const close = useCallback(() => setDialog(undefined), [])

  const isBootDisk = (disk: Disk) => disk.id === instance.bootDiskId
  const bootDisk = items.find(isBootDisk)
  const others = items.filter((disk) => !isBootDisk(disk))

  const bootActions = (disk: Disk) => bootDiskActions(disk, instance, params.project)
  const otherActions = (disk: Disk) =>
    additionalDiskActions(disk, instance, bootDisk, params.project)

  return (
    <div className="space-y-6">
      <CardBlock title={text.bootDiskTitle}>
        {bootDisk ? (
          <DiskTable
            project={params.project}
            label={text.bootDiskLabel}
            rows={[bootDisk]}
            actions={bootActions}
          />
        ) : (
          <NoBootDisk others={others} />
        )}
      </CardBlock>
      <CardBlock
        title={text.additionalDisksTitle}
        actions={<DiskButtons instance={instance} onOpen={setDialog} />}
      >
        {others.length > 0 ? (
          <DiskTable
            project={params.project}
            label={text.additionalDisksLabel}
            rows={others}
            actions={otherActions}
          />
        ) : (
          noOtherDisks
        )}
      </CardBlock>
      {dialog === 'attach' && <AttachDisk {...params} onDismiss={close} onMissing={close} />}
      {dialog === 'create' && <CreateDisk {...params} onDismiss={close} onMissing={close} />}
    </div>
  )
}

interface DiskTableProps {
  project: string
  label: string
  rows: readonly Disk[]
  actions: (disk: Disk) => Action[]
}

const DiskTable = ({ project, label, rows, actions }: DiskTableProps) => (
  <Table
    label={label}
    columns={useMemo(() => columns(project), [project])}
    rows={rows}
    rowKey={(row) => row.id}
    rowActions={(disk) => menuEntries(actions(disk))}
  />
)

function DiskButtons({
  instance,
  onOpen,
}: {
  instance: Instance
  onOpen: (dialog: 'attach' | 'create') => void
}) {
  return (
    <>
      <Button
        needs={instanceDiskAttach}
        variant="secondary"
        size="sm"
        disabledReason={instanceRefusal('attachDisk', instance)}
        onPress={() => onOpen('attach')}
      >
        {text.attachDiskLabel}
      </Button>
      <Button
        needs={diskCreate}
        size="sm"
        disabledReason={instanceRefusal('createDisk', instance)}
        onPress={() => onOpen('create')}
      >
        {text.createDiskLabel}
      </Button>
    </>
  )
}
