import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ListChecks } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import type { Batch } from '~/api/generated/types.gen'
import * as uploadText from '~/messages/image-resume'
import * as several from '~/messages/several'
import * as text from '~/messages/tray'
import { batchNote, dismissedUntil } from '~/resource/batch-notes'
import {
  awaitEnd,
  batchTitle,
  isUnfinished,
  latestBatches,
  refreshTargets,
  takeEnd,
} from '~/resource/batches'
import { useKeptUploads } from '~/resource/image-upload-record'
import { buttonClass } from '~/ui/button-class'
import { onDemand } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'
import { Spinner } from '~/ui/spinner'
import { toast } from '~/ui/toast'

import { useSession } from './session'
import { useBackgroundWork } from './use-background-work'

const TrayPanel = onDemand(async () => (await import('./tray-panel')).TrayPanel)

/** Milliseconds for which a batch is shown after its end. */
const SHOWN_AFTER_END = 24 * 60 * 60 * 1000

const NO_BATCHES: readonly Batch[] = []

/** Opens the batches, uploads and other work of the person. There is nothing to open as long as there are none. */
export function Tray() {
  const { id: person } = useSession().me
  const [isOpen, setOpen] = useState(false)
  const [, setDismissals] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  const query = useQuery(latestBatches)
  const all = query.data?.items ?? NO_BATCHES
  useEndsTold(all, person)
  // A link in the panel leads to another screen.
  const { pathname } = useLocation()
  useEffect(() => setOpen(false), [pathname])
  const hidden = Math.max(dismissedUntil(person), query.dataUpdatedAt - SHOWN_AFTER_END)
  const batches = all.filter(({ timeFinished }) => !timeFinished || +timeFinished > hidden)
  const uploads = useKeptUploads(person)
  const work = useBackgroundWork(person)
  const running =
    batches.filter(isUnfinished).length +
    uploads.filter(({ isRunning }) => isRunning).length +
    work.filter(({ reason }) => reason === undefined).length
  const trouble = uploads.some(({ isRunning }) => !isRunning)
    ? uploadText.interruptedLabel
    : (batches.some(({ state }) => state === 'failed') ||
        work.some(({ reason }) => reason !== undefined)) &&
      text.failedLabel
  const isShown = isOpen || batches.length + uploads.length + work.length > 0

  return (
    <>
      <span role="status" className="sr-only">
        {running > 0 && text.runningText(running)}
      </span>
      {isShown && (
        <PressButton
          ref={button}
          aria-label={text.trayLabel(running)}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onHoverStart={TrayPanel.preload}
          onFocus={TrayPanel.preload}
          onPress={() => setOpen(!isOpen)}
          className={buttonClass({ variant: 'ghost', className: 'max-md:px-2' })}
        >
          {running > 0 ? <Spinner /> : <ListChecks aria-hidden="true" />}
          {running > 0 && <span className="tabular">{running}</span>}
          {running === 0 && trouble && (
            <span role="img" aria-label={trouble} className="size-2 rounded-full bg-danger-solid" />
          )}
        </PressButton>
      )}
      {isOpen && (
        <TrayPanel
          batches={batches}
          uploads={uploads}
          work={work}
          person={person}
          error={query.error}
          triggerRef={button}
          onDismissed={() => setDismissals((count) => count + 1)}
          onClose={() => setOpen(false)}
          onMissing={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Tells the end of each batch that was queued before, and refetches what it changed. */
function useEndsTold(batches: readonly Batch[], person: string) {
  useEffect(() => {
    for (const batch of batches) {
      if (isUnfinished(batch)) awaitEnd(batch)
      else if (takeEnd(batch)) {
        void refreshTargets(batch)
        // Of several tabs, the one that the person sees.
        if (document.visibilityState === 'visible') tellEnd(batch, person)
      }
    }
  }, [batches, person])
}

function tellEnd(batch: Batch, person: string) {
  const { id, operation, total, succeeded, failed, canceled } = batch
  const title = batchTitle(batch, batchNote(person, id)?.project)
  if (failed > 0) {
    void import('~/resource/batch-failures').then(
      ({ toastFailed }) => toastFailed(batch, person, title),
      () => toast({ variant: 'error', title: several.failedTitle(failed, total), content: title }),
    )
  } else if (canceled > 0) {
    toast({ variant: 'info', title, content: several.canceledText(succeeded, total) })
  } else toast({ content: several.doneToast[operation](total) })
}
