import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'

import { instanceDiskList } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import * as text from '~/messages/instance-metrics-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { EmptyMessage } from '~/ui/empty-message'

import { instanceQuery } from '../../-instance-queries'
import type { InstanceParams } from '../../-instance-queries'
import { PartMetrics } from '../../-part-metrics'
import type { PartKind } from '../../-part-metrics'

// An instance has at most 8 disks, so one page holds them all.
const attached = ({ project, instance }: InstanceParams) =>
  q(instanceDiskList, { path: { instance }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics/disk',
)({
  loader: ({ context, params }) =>
    Promise.all([
      load(context.queryClient, instanceQuery(params)),
      load(context.queryClient, attached(params)),
    ]),
  staticData: { crumb: { label: crumbs.diskLabel } },
  component: DiskMetrics,
})

const disks: PartKind = {
  choose: text.chooseDiskLabel,
  all: text.allDisksLabel,
  target: { name: 'virtual_disk', instanceField: 'attached_instance_id', partField: 'disk_id' },
  charts: [
    { title: text.diskReadsTitle, metric: 'reads', unit: 'count' },
    { title: text.diskWritesTitle, metric: 'writes', unit: 'count' },
    { title: text.bytesReadTitle, metric: 'bytes_read', unit: 'bytes' },
    { title: text.bytesWrittenTitle, metric: 'bytes_written', unit: 'bytes' },
    { title: text.diskFlushesTitle, metric: 'flushes', unit: 'count' },
  ],
  fileName: (instance, disk) => disk ?? instance,
  empty: <EmptyMessage icon={<HardDrive />} title={text.noDisksTitle} body={text.noDisksHelp} />,
}

function DiskMetrics() {
  const params = Route.useParams()
  return <PartMetrics kind={disks} of={params} parts={useLoaded(attached(params)).items} />
}
