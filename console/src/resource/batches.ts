import { call } from '~/api/call'
import { batchCreate, batchItemList, batchList } from '~/api/generated/operations'
import type { Batch, BatchItem, BatchOperation } from '~/api/generated/types.gen'
import { liveState } from '~/api/live/state'
import { invalidate, q } from '~/api/query'
import type { CallOptions } from '~/api/query'
import * as several from '~/messages/several'
import * as text from '~/messages/tray'
import type { BatchItem as Target } from '~/ui/menu'

import { noteBatch } from './batch-notes'
import { KINDS } from './registry'

/** How many of the latest batches the console looks at. */
const MAX_SHOWN = 20
/** Milliseconds between two looks at a batch that has not ended, where no events arrive. */
const POLL_PAUSE = 2000

/** Whether a batch has not ended. */
export const isUnfinished = ({ state }: Pick<Batch, 'state'>): boolean =>
  state === 'queued' || state === 'running'

/** The person's latest batches, the newest first. */
export const latestBatches = q(
  batchList,
  { query: { limit: MAX_SHOWN } },
  {
    allowNotFound: true,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? POLL_PAUSE : false),
  },
)

/** The first items of a batch, in its order. The API limits a batch to as many. */
export const itemsOf = (batch: Batch): CallOptions<{ items: BatchItem[] }> =>
  q(
    batchItemList,
    { path: { batch: batch.id }, query: { limit: 1000 } },
    { allowNotFound: true, refetchInterval: isUnfinished(batch) ? POLL_PAUSE : false },
  )

/** What a batch does, in words. `project` is the name of the project that its targets are in, where that is known. */
export const batchTitle = ({ operation, total }: Batch, project: string | undefined): string =>
  project
    ? text.batchInProjectTitle[operation](total, project)
    : several.severalTitle[operation](total)

/** Batches whose end this tab tells. */
const awaited = new Set<string>()

/** Tells the end of a batch that is queued, once it has ended. */
export const awaitEnd = ({ id }: Pick<Batch, 'id'>): void => {
  awaited.add(id)
}

/** Whether the end of a batch that has ended is still to be told. It is told once. */
export const takeEnd = ({ id }: Pick<Batch, 'id'>): boolean => awaited.delete(id)

/**
 * Has the server do the same to several objects, and remembers what they are called.
 *
 * @param idempotencyKey of what the person confirmed: repeated, it creates no second batch.
 * @param person id of the signed-in user.
 */
export async function createBatch(
  operation: BatchOperation,
  targets: readonly Target[],
  { idempotencyKey, person }: { idempotencyKey: string; person: string },
): Promise<Batch> {
  const items = targets.map(({ targetId }) => ({ targetId }))
  const batch = await call(batchCreate, { body: { operation, items, idempotencyKey } })
  awaitEnd(batch)
  noteBatch(person, {
    id: batch.id,
    project: targets[0]?.project,
    names: targets.map(({ name }) => name),
  })
  await invalidate(batchList)
  return batch
}

/** The kind of resource that an operation is done to. */
export const targetKind = (operation: BatchOperation): string => operation.replace(/_[a-z]+$/, '')

/** Refetches what shows the targets of a batch that has ended, unless the stream of events has told of each. */
export async function refreshTargets({ operation }: Pick<Batch, 'operation'>): Promise<void> {
  if (liveState() === 'live') return
  const { one = [], many = [] } = KINDS[targetKind(operation)] ?? {}
  await invalidate(...[...one, ...many].map((name) => ({ name })))
}
