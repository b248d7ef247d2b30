import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance'
import { TimeAgo } from '~/ui/date-time'

import { InstanceStateBadge } from './instance-state-badge'

/** Number of vCPUs with a dimmed unit: "2 vCPUs". */
export function CpuCount({ count }: { count: number }) {
  return (
    <span className="whitespace-nowrap tabular">
      {count} <span className="text-fg-subtle">{count === 1 ? 'vCPU' : 'vCPUs'}</span>
    </span>
  )
}

/** State of an instance and since when it has it. */
export function InstanceStateCell({
  instance: { runState, timeRunStateUpdated },
}: {
  instance: Instance
}) {
  return (
    <span className="inline-flex items-center gap-2">
      <InstanceStateBadge state={runState} />
      <span className="text-xs text-fg-subtle">
        <TimeAgo value={timeRunStateUpdated} caption={text.runStateUpdatedLabel} />
      </span>
    </span>
  )
}
