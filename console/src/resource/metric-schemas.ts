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
      ['bytes_received', 'bytes', 'Bytes that reached the interface.'],
      ['bytes_sent', 'bytes', 'Bytes that the interface sent.'],
      ['errors_received', 'count', 'Packets that could not be received.'],
      ['errors_sent', 'count', 'Packets that could not be sent.'],
      ['packets_dropped', 'count', 'Packets that were dropped on their way to the interface.'],
      ['packets_received', 'count', 'Packets that reached the interface.'],
      ['packets_sent', 'count', 'Packets that the interface sent.'],
    ],
  ),
  ...target(
    'virtual_disk',
    ['attached_instance_id', 'block_size', 'disk_id', 'project_id', 'silo_id'],
    [
      ['bytes_read', 'bytes', 'Bytes that the guest read from the disk.'],
      ['bytes_written', 'bytes', 'Bytes that the guest wrote to the disk.'],
      ['failed_flushes', 'count', 'Flushes that failed.', 'failure_reason'],
      ['failed_reads', 'count', 'Reads that failed.', 'failure_reason'],
      ['failed_writes', 'count', 'Writes that failed.', 'failure_reason'],
      ['flushes', 'count', 'Times the guest asked for everything written to be kept durably.'],
      ['io_latency', 'nanoseconds', 'How long reads, writes and flushes took.', 'io_kind'],
      ['io_size', 'bytes', 'How large reads and writes were.', 'io_kind'],
      ['reads', 'count', 'Reads of the guest, whatever their size.'],
      ['writes', 'count', 'Writes of the guest, whatever their size.'],
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
      ['pv_panic_guest_handled', 'count', 'Panics of the guest that the guest handled itself.'],
      ['pv_panic_host_handled', 'count', 'Panics of the guest that were left to the host.'],
      ['reset', 'count', 'Times the machine was reset.'],
      [
        'vcpu_usage',
        'nanoseconds',
        'Time that each vCPU spent in each state: running code of the guest, emulating devices for it, idle, or waiting for the host.',
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
