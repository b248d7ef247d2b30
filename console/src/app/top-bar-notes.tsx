import type { LiveState } from '~/api/live/state'

import { LiveStateNote } from './live-state-note'
import { MachinesBadge } from './machines-note'
import { Tray } from './tray'

/** What the top bar shows of what goes on: what runs the machines, work in the background, and how changes arrive. */
export const TopBarNotes = ({ state }: { state: Exclude<LiveState, 'starting'> }) => (
  <>
    <MachinesBadge />
    <Tray />
    <LiveStateNote state={state} />
  </>
)
