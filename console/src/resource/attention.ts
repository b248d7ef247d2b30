import type { Disk, Instance, Snapshot } from '~/api/generated/types.gen'

import { isTransitioning } from './instance-state'

/** Milliseconds that a state lasts at most which is left by itself, before it is worth a look. */
const BRIEF = 60_000
/** The same for an import, whose end is up to whoever sends the data. */
const IMPORT = 60 * 60_000

/** Something that failed, or that stays for too long in a state which should be brief. */
export interface Concern {
  kind: 'instance' | 'disk' | 'snapshot'
  id: string
  name: string
  /** Of the API. */
  state: string
  /** Since when it is in this state. */
  since: Date
  isFailure: boolean
}

type WatchedInstance = Pick<Instance, 'id' | 'name' | 'runState' | 'timeRunStateUpdated'>

interface Resources {
  instances: readonly WatchedInstance[]
  disks?: readonly Disk[]
  snapshots?: readonly Snapshot[]
}

/**
 * What needs attention, in the order of {@link byUrgency}.
 *
 * @param now milliseconds since the epoch.
 */
export function concernsOf(
  { instances, disks = [], snapshots = [] }: Resources,
  now: number,
): Concern[] {
  const concerns = [
    ...instances.flatMap((instance) => instanceConcern(instance, now)),
    ...disks.flatMap((disk) => diskConcern(disk, now)),
    ...snapshots.flatMap((snapshot) => snapshotConcern(snapshot, now)),
  ]
  return concerns.toSorted(byUrgency)
}

/** Failures first, then what hangs, each with the oldest first. */
export const byUrgency = (one: Concern, other: Concern): number =>
  Number(other.isFailure) - Number(one.isFailure) || one.since.getTime() - other.since.getTime()

const hasLasted = (since: Date, atMost: number, now: number) => now - since.getTime() > atMost

function instanceConcern(instance: WatchedInstance, now: number): Concern[] {
  const { id, name, runState: state, timeRunStateUpdated: since } = instance
  const isFailure = state === 'failed'
  const hangs = isTransitioning(instance) && hasLasted(since, BRIEF, now)
  return isFailure || hangs ? [{ kind: 'instance', id, name, state, since, isFailure }] : []
}

// The API does not say since when a disk is in its state. Only its first states begin when it is created.
const FIRST_STATES: Partial<Record<Disk['state']['state'], number>> = {
  creating: BRIEF,
  import_ready: IMPORT,
  importing_from_url: IMPORT,
  importing_from_bulk_writes: IMPORT,
}

function diskConcern({ id, name, state: { state }, timeCreated: since }: Disk, now: number) {
  const isFailure = state === 'faulted'
  const atMost = FIRST_STATES[state]
  const hangs = atMost !== undefined && hasLasted(since, atMost, now)
  const concern: Concern = { kind: 'disk', id, name, state, since, isFailure }
  return isFailure || hangs ? [concern] : []
}

function snapshotConcern({ id, name, state, timeCreated: since }: Snapshot, now: number) {
  const isFailure = state === 'faulted'
  const hangs = state === 'creating' && hasLasted(since, BRIEF, now)
  const concern: Concern = { kind: 'snapshot', id, name, state, since, isFailure }
  return isFailure || hangs ? [concern] : []
}

/** The path of the screen that says more about a concern. */
export const concernPath = ({ kind, name }: Concern, project: string): string =>
  kind === 'instance'
    ? `/projects/${project}/instances/${name}/activity`
    : `/projects/${project}/${kind}s/${name}`

/** How many instances are in each state, the most frequent first. */
export function countStates(
  instances: readonly Pick<Instance, 'runState'>[],
): [state: Instance['runState'], count: number][] {
  const counts = new Map<Instance['runState'], number>()
  for (const { runState } of instances) counts.set(runState, (counts.get(runState) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}
