import { ApiError } from '~/api/errors'
import {
  diskDelete,
  floatingIpDelete,
  imageDelete,
  instanceDelete,
  instanceReboot,
  instanceStart,
  instanceStop,
  snapshotDelete,
} from '~/api/generated/operations'
import type { Batch, BatchItem, BatchOperation } from '~/api/generated/types.gen'
import type { Endpoint } from '~/api/operation'
import { queryClient } from '~/api/query-client'
import { shortId } from '~/lib/text'
import * as several from '~/messages/several'
import { FailureList } from '~/ui/failure-list'
import type { NamedFailure } from '~/ui/failure-list'
import { repairNote } from '~/ui/failure-toast'
import { toast } from '~/ui/toast'

import { batchNote } from './batch-notes'
import { itemsOf } from './batches'

/** Failures that a notification has room for. */
const MAX_TOLD = 3

/** The call that does to one target what a batch does to many, and the parameter that names the target. */
const CALLS: Record<BatchOperation, { operation: Endpoint; target: string }> = {
  instance_start: { operation: instanceStart, target: 'instance' },
  instance_stop: { operation: instanceStop, target: 'instance' },
  instance_reboot: { operation: instanceReboot, target: 'instance' },
  instance_delete: { operation: instanceDelete, target: 'instance' },
  disk_delete: { operation: diskDelete, target: 'disk' },
  snapshot_delete: { operation: snapshotDelete, target: 'snapshot' },
  image_delete: { operation: imageDelete, target: 'image' },
  floating_ip_delete: { operation: floatingIpDelete, target: 'floatingIp' },
}

/** Why an item failed, as if its call alone had; `undefined` if it did not. */
export function itemFailure(
  { operation: kind }: Pick<Batch, 'operation'>,
  { error, targetId }: Pick<BatchItem, 'error' | 'targetId'>,
): ApiError | undefined {
  if (!error) return undefined
  const { operation, target } = CALLS[kind]
  const { message, httpStatusCode: statusCode } = error
  const errorCode = error.errorCode ?? undefined
  return new ApiError(
    { message, errorCode, statusCode },
    {
      operation,
      input: { path: { [target]: targetId } },
      answer: { type: 'error', statusCode, data: { message, errorCode } },
    },
  )
}

/** Says that items of a batch failed, which of them, and what can be done about it. With something to do, the note stays. */
export async function toastFailed(batch: Batch, person: string, title: string): Promise<void> {
  const { failed, total } = batch
  const failures = await firstFailures(batch, person)
  toast({
    variant: 'error',
    title: several.failedTitle(failed, total),
    content: (
      <div className="space-y-1.5">
        <p>{title}</p>
        <FailureList failures={failures} />
        {failures.length > 0 && failed > failures.length && (
          <p>{several.moreNamesText(failed - failures.length)}</p>
        )}
      </div>
    ),
    timeout: failures.some(({ note }) => note) ? null : undefined,
  })
}

/** The first items of a batch that failed, with what can be done about each. Empty if they cannot be fetched. */
async function firstFailures(batch: Batch, person: string): Promise<NamedFailure[]> {
  const note = batchNote(person, batch.id)
  try {
    const { items } = await queryClient.fetchQuery(itemsOf(batch))
    const failed = items.filter(({ state }) => state === 'failed').slice(0, MAX_TOLD)
    return await Promise.all(
      failed.map(async (item) => {
        const failure = itemFailure(batch, item)
        return {
          key: item.id,
          name: note?.names[item.position] ?? shortId(item.targetId),
          message: failure?.message ?? '',
          note: await repairNote(failure),
        }
      }),
    )
  } catch {
    return []
  }
}
