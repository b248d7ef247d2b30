import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { Spinner } from '~/ui/spinner'

import { isTransitioning } from './instance-state'
import type { InstanceRunState } from './instance-state'

const STYLES: Record<InstanceRunState, { tone: BadgeTone; solid?: boolean }> = {
  creating: { tone: 'violet', solid: true },
  starting: { tone: 'info', solid: true },
  running: { tone: 'accent' },
  rebooting: { tone: 'notice' },
  stopping: { tone: 'notice' },
  stopped: { tone: 'neutral', solid: true },
  repairing: { tone: 'notice', solid: true },
  migrating: { tone: 'notice', solid: true },
  failed: { tone: 'danger', solid: true },
  destroyed: { tone: 'neutral', solid: true },
}

/** All states of instances. */
export const instanceStates = Object.keys(STYLES)

/** The state of an instance. A transitional one has a spinner. */
export function InstanceStateBadge({ state }: { state: InstanceRunState }) {
  return (
    <Badge {...STYLES[state]}>
      {isTransitioning({ runState: state }) && <Spinner />}
      {state}
    </Badge>
  )
}
