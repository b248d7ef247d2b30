import type { TimeseriesSchema } from '~/api/generated/types.gen'

/** What the console itself has to know of a timeseries. The server lists all of it, but only to operators. */
export type MetricSchema = Pick<TimeseriesSchema, 'timeseriesName' | 'units' | 'datumType'> & {
  description: string
  /** Names of the fields, those of the target first. */
  fields: readonly string[]
}

const target = (name: string, fields: readonly string[], metrics: readonly Metric[]) =>
  metrics.map(([metric, units, description, ...more]): MetricSchema => ({
    timeseriesName: `${name}:${metric}`,
    units,
    datumType: metric.startsWith('io_') ? 'histogram_u64' : 'cumulative_u64',
    description,
    fields: [...fields, ...more],
  }))

type Metric = readonly [
  name: string,
  units: TimeseriesSchema['units'],
  description: string,
  ...moreFields: string[],
]

/** The timeseries that people of a project may query, as `docs/rules/telemetry.md#schemas` lists them. */
export const projectSchemas: readonly MetricSchema[] = [
  ...target(
    'instance_network_interface',
    ['instance_id', 'interface_id', 'project_id', 'silo_id'],
    [
      ['bytes_received', 'bytes', 'Bytes received by the interface.'],
      ['bytes_sent', 'bytes', 'Bytes sent by the interface.'],
      ['errors_received', 'count', 'Errors while receiving packets.'],
      ['errors_sent', 'count', 'Errors while sending packets.'],
      ['packets_dropped', 'count', 'Received packets that were dropped.'],
      ['packets_received', 'count', 'Packets received by the interface.'],
      ['packets_sent', 'count', 'Packets sent by the interface.'],
    ],
  ),
  ...target(
    'virtual_disk',
    ['attached_instance_id', 'block_size', 'disk_id', 'project_id', 'silo_id'],
    [
      ['bytes_read', 'bytes', 'Bytes read from the disk.'],
      ['bytes_written', 'bytes', 'Bytes written to the disk.'],
      ['failed_flushes', 'count', 'Flushes that failed.', 'failure_reason'],
      ['failed_reads', 'count', 'Reads that failed.', 'failure_reason'],
      ['failed_writes', 'count', 'Writes that failed.', 'failure_reason'],
      ['flushes', 'count', 'Requests of the guest to flush its writes to durable storage.'],
      ['io_latency', 'nanoseconds', 'Latency of reads, writes and flushes.', 'io_kind'],
      ['io_size', 'bytes', 'Size of reads and writes.', 'io_kind'],
      ['reads', 'count', 'Number of reads.'],
      ['writes', 'count', 'Number of writes.'],
    ],
  ),
  ...target(
    'virtual_machine',
    [
      'instance_id',
      'project_id',
      'silo_id',
      'sled_id',
      'sled_model',
      'sled_revision',
      'sled_serial',
    ],
    [
      ['pv_panic_guest_handled', 'count', 'Guest panics that the guest handled.'],
      ['pv_panic_host_handled', 'count', 'Guest panics that were left to the host.'],
      ['reset', 'count', 'Number of resets.'],
      [
        'vcpu_usage',
        'nanoseconds',
        'Time that each vCPU spent in each state: running guest code, emulating devices, idle, or waiting for the host.',
        'state',
        'vcpu_id',
      ],
    ],
  ),
]

/** What the server says of a timeseries, as far as the console uses it. */
export function metricSchema(schema: TimeseriesSchema): MetricSchema {
  const { timeseriesName, units, datumType, description, fieldSchema } = schema
  return {
    timeseriesName,
    units,
    datumType,
    description: description.metric,
    fields: fieldSchema.map(({ name }) => name).toSorted(),
  }
}
