import type { DiskStateWord } from './disk-state'

const TRANSITIONING: readonly DiskStateWord[] = [
  'creating',
  'attaching',
  'detaching',
  'importing_from_url',
  'finalizing',
  'maintenance',
]

/** Milliseconds until disks are fetched again: short while a disk is in transition, `false` otherwise. */
export function diskInterval(
  disks: readonly { state: { state: DiskStateWord } }[] | undefined,
): number | false {
  return disks?.some((disk) => TRANSITIONING.includes(disk.state.state)) ? 3_000 : false
}
