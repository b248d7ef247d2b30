import type { TimeseriesSchema } from '~/api/generated/types.gen'
import * as text from '~/messages/metric-schema'

/** The part of a timeseries schema that the console needs. The server lists schemas only for operators. */
export type MetricSchema = Pick<TimeseriesSchema, 'timeseriesName' | 'units' | 'datumType'> & {
  description: string
  /** Names of the fields. Those of the target come first. */
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

/** The timeseries that users of a project may query, as listed in `docs/rules/telemetry.md#schemas`. */
export const projectSchemas: readonly MetricSchema[] = [
  ...target(
    'instance_network_interface',
    ['instance_id', 'interface_id', 'project_id', 'silo_id'],
    [
      ['bytes_received', 'bytes', text.bytesReceivedHelp],
      ['bytes_sent', 'bytes', text.bytesSentHelp],
      ['errors_received', 'count', text.errorsReceivedHelp],
      ['errors_sent', 'count', text.errorsSentHelp],
      ['packets_dropped', 'count', text.packetsDroppedHelp],
      ['packets_received', 'count', text.packetsReceivedHelp],
      ['packets_sent', 'count', text.packetsSentHelp],
    ],
  ),
  ...target(
    'virtual_disk',
    ['attached_instance_id', 'block_size', 'disk_id', 'project_id', 'silo_id'],
    [
      ['bytes_read', 'bytes', text.bytesReadHelp],
      ['bytes_written', 'bytes', text.bytesWrittenHelp],
      ['failed_flushes', 'count', text.failedFlushesHelp, 'failure_reason'],
      ['failed_reads', 'count', text.failedReadsHelp, 'failure_reason'],
      ['failed_writes', 'count', text.failedWritesHelp, 'failure_reason'],
      ['flushes', 'count', text.flushesHelp],
      ['io_latency', 'nanoseconds', text.ioLatencyHelp, 'io_kind'],
      ['io_size', 'bytes', text.ioSizeHelp, 'io_kind'],
      ['reads', 'count', text.readsHelp],
      ['writes', 'count', text.writesHelp],
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
      ['pv_panic_guest_handled', 'count', text.panicGuestHandledHelp],
      ['pv_panic_host_handled', 'count', text.panicHostHandledHelp],
      ['reset', 'count', text.resetHelp],
      ['vcpu_usage', 'nanoseconds', text.vcpuUsageHelp, 'state', 'vcpu_id'],
    ],
  ),
]

/** Reduces a schema of the server to the part that the console uses. */
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
