import { useState } from 'react'

import { call } from '~/api/call'
import { batchCancel, batchList, batchRetry } from '~/api/generated/operations'
import type { Batch, BatchItemState } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import * as common from '~/messages/common'
import * as text from '~/messages/tray'
import { batchNote } from '~/resource/batch-notes'
import { awaitEnd, batchTitle, isUnfinished } from '~/resource/batches'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { TimeAgo } from '~/ui/date-time'
import { failureMessage } from '~/ui/failure-message'
import { ProgressBar } from '~/ui/progress-bar'
import { toast } from '~/ui/toast'

import { BatchItems } from './batch-items'
import { TrayEntry } from './tray-entry'

interface BatchEntryProps {
  batch: Batch
  /** ID of the signed-in user. */
  person: string
}

/** A batch: how far it is, what became of its items, and cancel or retry. */
export function BatchEntry({ batch, person }: BatchEntryProps) {
  const { id, state, failed, canceled, timeCreated } = batch
  const [areItemsShown, setItemsShown] = useState(false)
  const note = batchNote(person, id)
  return (
    <TrayEntry
      title={batchTitle(batch, note?.project)}
      note={<TimeAgo value={timeCreated} />}
      state={state}
    >
      {isUnfinished(batch) && <Progress batch={batch} />}
      <Counts batch={batch} />
      <div className="flex flex-wrap gap-2 max-md:[&_button]:h-11">
        {isUnfinished(batch) && <CancelButton batch={batch} />}
        {!isUnfinished(batch) && failed + canceled > 0 && <RetryButton batch={batch} />}
        <Button
          needs={null}
          variant="ghost"
          size="sm"
          aria-expanded={areItemsShown}
          onPress={() => setItemsShown(!areItemsShown)}
        >
          {areItemsShown ? text.hideItemsLabel : text.showItemsLabel}
        </Button>
      </div>
      {areItemsShown && <BatchItems batch={batch} note={note} />}
    </TrayEntry>
  )
}

function Progress({ batch: { total, succeeded, failed, canceled } }: { batch: Batch }) {
  const percent = Math.round((100 * (succeeded + failed + canceled)) / total)
  return <ProgressBar label={text.progressLabel} percent={percent} />
}

const COUNT_COLORS: Record<BatchItemState, string> = {
  succeeded: 'text-success-text',
  failed: 'text-danger-text',
  canceled: 'text-fg-muted',
  queued: 'text-fg-muted',
}

function Counts({ batch: { total, succeeded, failed, canceled } }: { batch: Batch }) {
  const queued = total - succeeded - failed - canceled
  const counts = Object.entries({ succeeded, failed, canceled, queued }) as [
    BatchItemState,
    number,
  ][]
  return (
    <p className="flex flex-wrap gap-x-3 text-xs tabular">
      {counts
        .filter(([, count]) => count > 0)
        .map(([state, count]) => (
          <span key={state} className={cn(COUNT_COLORS[state])}>
            {text.itemsText[state](count)}
          </span>
        ))}
    </p>
  )
}

function CancelButton({ batch: { id } }: { batch: Batch }) {
  const { isRunning, run } = useChange(text.cancelErrorTitle)
  return (
    <Button
      needs={batchCancel}
      variant="secondary"
      size="sm"
      loading={isRunning}
      onPress={() => void run(() => call(batchCancel, { path: { batch: id } }))}
    >
      {common.cancelLabel}
    </Button>
  )
}

function RetryButton({ batch }: { batch: Batch }) {
  const { isRunning, run } = useChange(text.retryErrorTitle)
  const retry = async () => {
    awaitEnd(await call(batchRetry, { path: { batch: batch.id } }))
  }
  return (
    <Button
      needs={batchRetry}
      variant="secondary"
      size="sm"
      loading={isRunning}
      onPress={() => void run(retry)}
    >
      {text.retryLabel}
    </Button>
  )
}

/** Changes a batch, and says what kept it from being changed. */
function useChange(errorTitle: string) {
  const [isRunning, setRunning] = useState(false)
  const run = async (change: () => Promise<unknown>) => {
    setRunning(true)
    try {
      await change()
      await invalidate(batchList)
    } catch (failure) {
      toast({ variant: 'error', title: errorTitle, content: failureMessage(failure) })
    }
    setRunning(false)
  }
  return { isRunning, run }
}
