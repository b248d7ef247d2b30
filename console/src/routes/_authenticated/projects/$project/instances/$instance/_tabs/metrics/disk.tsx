import { createFileRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useState } from 'react'

import { instanceDiskList, instanceView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import { MetricChart } from '~/resource/metric-chart'
import type { MetricUnit } from '~/resource/metric-values'
import { EmptyMessage } from '~/ui/empty-message'
import { Listbox } from '~/ui/listbox'

import type { InstanceParams } from '../../-instance-network'
import { ChartGrid, MetricsToolbar, useMetricsRange } from '../../-metrics-range'

const noDisks = (
  <EmptyMessage
    icon={<HardDrive />}
    title="No disk metrics available"
    body="Disk metrics are only available if there are disks attached"
  />
)

const view = ({ project, instance }: InstanceParams) =>
  q(instanceView, { path: { instance }, query: { project } })

// An instance has at most 8 disks, so one page holds them all.
const attached = ({ project, instance }: InstanceParams) =>
  q(instanceDiskList, { path: { instance }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics/disk',
)({
  loader: ({ context, params }) =>
    Promise.all([
      load(context.queryClient, view(params)),
      load(context.queryClient, attached(params)),
    ]),
  staticData: { crumb: { label: 'Disk' } },
  component: DiskMetrics,
})

const charts: { title: string; metric: string; unit: MetricUnit }[] = [
  { title: 'Disk Reads', metric: 'reads', unit: 'count' },
  { title: 'Disk Writes', metric: 'writes', unit: 'count' },
  { title: 'Bytes Read', metric: 'bytes_read', unit: 'bytes' },
  { title: 'Bytes Written', metric: 'bytes_written', unit: 'bytes' },
  { title: 'Disk Flushes', metric: 'flushes', unit: 'count' },
]

const ALL = 'all'

function DiskMetrics() {
  const params = Route.useParams()
  const instance = useLoaded(view(params))
  const { items: disks } = useLoaded(attached(params))
  const { range } = useMetricsRange()
  const [chosen, setChosen] = useState(ALL)
  if (disks.length === 0) return noDisks
  // A disk that was chosen may have been detached meanwhile.
  const disk = disks.find(({ id }) => id === chosen)
  const options = disks.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <MetricsToolbar>
        <Listbox
          aria-label="Choose disk"
          options={[{ value: ALL, label: 'All disks' }, ...options]}
          value={disk?.id ?? ALL}
          onChange={setChosen}
        />
      </MetricsToolbar>
      <ChartGrid>
        {charts.map(({ title, metric, unit }) => (
          <MetricChart
            key={metric}
            project={params.project}
            title={title}
            unit={unit}
            fileName={`${disk?.name ?? instance.name}-${metric}`}
            query={{
              metric: `virtual_disk:${metric}`,
              range,
              filters: { attached_instance_id: instance.id, disk_id: disk?.id },
              groupBy: disk ? undefined : ['attached_instance_id'],
            }}
          />
        ))}
      </ChartGrid>
    </>
  )
}
