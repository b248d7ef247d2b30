import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'

import type { DiskStateWord } from './disk-state'

const STYLES: Record<DiskStateWord, { tone: BadgeTone; solid?: boolean }> = {
  attached: { tone: 'accent' },
  attaching: { tone: 'info', solid: true },
  import_ready: { tone: 'info', solid: true },
  finalizing: { tone: 'info', solid: true },
  creating: { tone: 'violet', solid: true },
  importing_from_url: { tone: 'violet', solid: true },
  importing_from_bulk_writes: { tone: 'violet', solid: true },
  detaching: { tone: 'notice', solid: true },
  maintenance: { tone: 'notice', solid: true },
  detached: { tone: 'neutral', solid: true },
  destroyed: { tone: 'danger', solid: true },
  faulted: { tone: 'danger', solid: true },
}

/** All states of disks. */
export const diskStates = Object.keys(STYLES)

/** The state of a disk, as named by the API. */
export function DiskStateBadge({ state }: { state: DiskStateWord }) {
  return <Badge {...STYLES[state]}>{state}</Badge>
}
