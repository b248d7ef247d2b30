import type { QueryKey } from '@tanstack/react-query'

import { diskView, snapshotView, supportBundleView } from '~/api/generated/operations'
import type { Disk, Snapshot, SupportBundleInfo } from '~/api/generated/types.gen'
import { qOptional } from '~/api/query'
import type { CallOptions } from '~/api/query'
import * as text from '~/messages/tray'

import type { BackgroundWork, WorkKind } from './background-work'
import { isTemporaryName } from './image-upload-record'
import { KINDS } from './registry'
import { SUPPORT_BUNDLES_PATH } from './support-bundle-paths'

/** How far a work is: under way, at its end, without its resource, or failed for a reason. */
export type WorkProgress = 'running' | 'done' | 'gone' | { reason: string }

/** Milliseconds between two looks where no events arrive. */
const POLL_PAUSE = 2000

type Thing = Snapshot | Disk | SupportBundleInfo

interface WorkOf<T extends Thing> {
  view: (id: string) => CallOptions<T | null>
  /** The operations whose answers have such things. */
  readers: readonly string[]
  name: (thing: T) => string
  progress: (thing: T) => WorkProgress
}

const again = { refetchInterval: POLL_PAUSE }

const WORK: {
  snapshot: WorkOf<Snapshot>
  disk: WorkOf<Disk>
  support_bundle: WorkOf<SupportBundleInfo>
} = {
  snapshot: {
    view: (snapshot) => qOptional(snapshotView, { path: { snapshot } }, again),
    readers: ['snapshotList', 'snapshotSearch', 'snapshotView'],
    name: ({ name }) => name,
    progress: ({ state }) => {
      if (state === 'creating') return 'running'
      return state === 'faulted' ? { reason: text.snapshotFaultedText } : 'done'
    },
  },
  disk: {
    view: (disk) => qOptional(diskView, { path: { disk } }, again),
    readers: ['diskList', 'diskSearch', 'diskView'],
    name: ({ name }) => name,
    progress: ({ state: { state } }) => {
      if (IMPORTING.has(state)) return 'running'
      return state === 'faulted' ? { reason: text.diskFaultedText } : 'done'
    },
  },
  support_bundle: {
    view: (bundleId) => qOptional(supportBundleView, { path: { bundleId } }, again),
    readers: ['supportBundleList', 'supportBundleView'],
    name: ({ id }) => id,
    progress: ({ state, reasonForFailure }) => {
      if (state === 'collecting') return 'running'
      if (state === 'destroying') return 'gone'
      return state === 'failed' ? { reason: reasonForFailure || text.bundleFailedText } : 'done'
    },
  },
}

const IMPORTING: ReadonlySet<string> = new Set([
  'importing_from_url',
  'importing_from_bulk_writes',
  'finalizing',
])

const workOf = (kind: WorkKind) => WORK[kind] as WorkOf<Thing>

/** The query for the resource of a work; null once that is gone. */
export const viewOfWork = ({ kind, id }: BackgroundWork): CallOptions<Thing | null> =>
  workOf(kind).view(id)

/** How far a work is, by what its query has answered. */
export function progressOf(
  { kind }: BackgroundWork,
  thing: Thing | null | undefined,
): WorkProgress {
  if (thing === undefined) return 'running'
  return thing === null ? 'gone' : workOf(kind).progress(thing)
}

/** Address of the resource of a work. */
export function workPath({ kind, id, name, project }: BackgroundWork): string | undefined {
  if (kind === 'support_bundle') return `${SUPPORT_BUNDLES_PATH}/${id}`
  return project && KINDS[kind]?.screen?.path({ project, vpc: '', name })
}

/** The work that a cached answer shows. What an upload makes on its way has an entry of its own. */
export function workIn([name, params]: QueryKey, data: unknown): BackgroundWork[] {
  const kind = (Object.keys(WORK) as WorkKind[]).find((each) =>
    workOf(each).readers.includes(String(name)),
  )
  if (!kind || typeof data !== 'object' || data === null) return []
  const { project } = (params as { query?: { project?: string } }).query ?? {}
  // Without the name of its project there is no way to it.
  if (kind !== 'support_bundle' && project === undefined) return []
  const things = 'items' in data && Array.isArray(data.items) ? data.items : [data]
  const { name: nameOf, progress } = workOf(kind)
  return (things as Thing[])
    .filter((thing) => 'id' in thing && progress(thing) === 'running')
    .map((thing) => ({ kind, id: thing.id, name: nameOf(thing), project, isOwn: false }))
    .filter((work) => !isTemporaryName(work.name))
}
