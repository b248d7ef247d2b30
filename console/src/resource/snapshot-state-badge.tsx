import type { SnapshotState } from '~/api/generated/types.gen'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'

const TONES: Record<SnapshotState, BadgeTone> = {
  ready: 'accent',
  creating: 'notice',
  faulted: 'danger',
  destroyed: 'neutral',
}

/** All states of snapshots. */
export const snapshotStates = Object.keys(TONES)

/** The state of a snapshot, as named by the API. */
export function SnapshotStateBadge({ state }: { state: SnapshotState }) {
  return <Badge tone={TONES[state]}>{state}</Badge>
}
