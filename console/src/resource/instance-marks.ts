import type { InstanceActivity } from '~/api/generated/types.gen'
import type { ChartMark } from '~/ui/chart/chart-data'

import { activityBadge, activityHeadline } from './instance-activity'

/** What happens to the machine, and so shows in its measurements. A machine that started says so itself; its request is no mark. */
const MARKED = new Set<string>([
  'machine_started',
  'restarted',
  'failed',
  'host_lost',
  'stop_forced',
  'instance_stop',
  'instance_reboot',
])

/** The starts, stops, restarts and failures of an instance as marks of charts, by time. */
export function instanceMarks(entries: readonly InstanceActivity[]): ChartMark[] {
  return entries
    .filter(
      ({ kind, operation }) =>
        MARKED.has(operation?.operationId ?? kind) && operation?.result.kind !== 'error',
    )
    .map((entry) => ({
      id: entry.id,
      time: entry.timeLast.getTime(),
      label: entry.operation
        ? activityHeadline(entry)
        : `${activityBadge(entry).title}: ${activityHeadline(entry)}`,
      isFailure: activityBadge(entry).tone === 'danger',
    }))
    .toSorted((one, other) => one.time - other.time)
}
