import { useRef } from 'react'
import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'

import type { ApiError } from '~/api/errors'
import type { Batch } from '~/api/generated/types.gen'
import * as text from '~/messages/tray'
import { forgetWork } from '~/resource/background-work'
import { dismissUntil } from '~/resource/batch-notes'
import type { KeptUpload } from '~/resource/image-upload-record'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { CloseButton } from '~/ui/dialog'
import { usePopoverZIndex } from '~/ui/layer'
import { Message } from '~/ui/message'

import { BatchEntry } from './batch-entry'
import { UploadEntry } from './upload-entry'
import type { ShownWork } from './use-background-work'
import { WorkEntry } from './work-entry'

interface TrayPanelProps {
  batches: readonly Batch[]
  uploads: readonly KeptUpload[]
  work: readonly ShownWork[]
  /** ID of the signed-in user. */
  person: string
  /** Why the batches could not be loaded. */
  error: ApiError | null
  /** The button that opened it; focus returns there. */
  triggerRef: RefObject<HTMLElement | null>
  /** Batches that have ended were hidden. */
  onDismissed: () => void
  onClose: () => void
}

/** The person's batches, uploads and other work: how far they are, what failed, and what can be done about it. */
export function TrayPanel(props: TrayPanelProps) {
  const { triggerRef, onClose } = props
  const zIndex = usePopoverZIndex('menu')
  return (
    <Popover
      isOpen
      onOpenChange={(open) => !open && onClose()}
      triggerRef={triggerRef}
      placement="bottom end"
      offset={6}
      style={{ zIndex }}
      className={({ isEntering, isExiting }) =>
        cn(
          'flex w-[30rem] max-w-[calc(100vw-1rem)] flex-col rounded-md bg-raised shadow-overlay outline-none',
          isEntering && 'animate-pop-in',
          isExiting && 'animate-fade-out',
        )
      }
    >
      <Dialog className="flex min-h-0 flex-col outline-none">
        <Content {...props} />
      </Dialog>
    </Popover>
  )
}

function Content({ batches, uploads, work, person, error, onDismissed, onClose }: TrayPanelProps) {
  const ends = batches.flatMap(({ timeFinished }) => (timeFinished ? [+timeFinished] : []))
  const failed = work.filter(({ reason }) => reason !== undefined)
  const header = useRef<HTMLElement>(null)
  const dismissWork = ({ id }: ShownWork) => {
    forgetWork(person, id)
    header.current?.focus()
  }
  const dismiss = () => {
    if (ends.length > 0) {
      dismissUntil(person, Math.max(...ends))
      onDismissed()
    }
    failed.forEach(dismissWork)
    // The button goes.
    header.current?.focus()
  }
  return (
    <>
      <header
        ref={header}
        tabIndex={-1}
        className="flex shrink-0 items-center justify-between gap-3 px-4 pt-3 pb-2 outline-none"
      >
        <Heading slot="title" level={2} className="text-base font-semibold">
          {text.trayTitle}
        </Heading>
        <span className="flex items-center gap-3 max-md:[&_button]:min-h-11">
          {ends.length + failed.length > 0 && (
            <Button needs={null} variant="ghost" size="sm" onPress={dismiss}>
              {text.dismissLabel}
            </Button>
          )}
          <CloseButton onPress={onClose} className="max-md:w-11" />
        </span>
      </header>
      <div className="min-h-0 overflow-y-auto border-t border-line">
        {error && (
          <Message tone="danger" title={text.loadErrorTitle} className="m-3">
            {error.message}
          </Message>
        )}
        {batches.length + uploads.length + work.length === 0 && (
          <p className="px-4 py-6 text-center text-sm text-fg-muted">{text.emptyText}</p>
        )}
        <ul className="divide-y divide-line">
          {uploads.map((upload) => (
            <UploadEntry key={upload.record.id} upload={upload} />
          ))}
          {work.map((each) => (
            <WorkEntry key={each.id} work={each} onDismiss={() => dismissWork(each)} />
          ))}
          {batches.map((batch) => (
            <BatchEntry key={batch.id} batch={batch} person={person} />
          ))}
        </ul>
      </div>
    </>
  )
}
