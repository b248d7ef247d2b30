import { Check, Minus, X } from 'lucide-react'
import type { ReactNode } from 'react'

import { truncate } from '~/lib/text'
import { bytesToParts } from '~/lib/units'
import * as common from '~/messages/common'
import * as text from '~/messages/image-screens'
import * as shared from '~/messages/project-screens'
import { CHUNK_SIZE } from '~/resource/image-chunks'
import type { UploadFailure } from '~/resource/image-upload'
import { UPLOAD_STEPS } from '~/resource/image-upload-steps'
import type { StepStatus } from '~/resource/image-upload-steps'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { Dialog } from '~/ui/dialog'
import { Link } from '~/ui/link'
import { Message } from '~/ui/message'
import { ProgressBar } from '~/ui/progress-bar'
import { Spinner } from '~/ui/spinner'

import type { UploadProgressState } from './-use-image-upload'

interface UploadProgressProps {
  project: string
  progress: UploadProgressState
  /** Called for the close button, Escape, a press outside, "Cancel" and "Back". */
  onDismiss: () => void
  onDone: () => void
}

/** The steps of an upload, its progress, and its failure if it has one. */
export function UploadProgress({ project, progress, onDismiss, onDone }: UploadProgressProps) {
  const { steps, isDone, failure } = progress
  return (
    <Dialog
      title={text.progressTitle}
      isOpen
      onDismiss={onDismiss}
      footer={
        <>
          <Button needs={null} variant="secondary" size="sm" onPress={onDismiss}>
            {isDone || failure ? common.backLabel : common.cancelLabel}
          </Button>
          <Button
            needs={null}
            size="sm"
            disabledReason={isDone ? undefined : text.notCompleteError}
            onPress={onDone}
          >
            {common.doneLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        {failure && <Failure project={project} failure={failure} />}
        <ol className="overflow-hidden rounded-md border border-line">
          {UPLOAD_STEPS.map(({ id, label }) => (
            <Step key={id} label={label} status={steps[id]}>
              {id === 'sendFile' && <Transfer progress={progress} />}
            </Step>
          ))}
          <Step label={text.uploadedLabel} status={isDone ? 'complete' : 'ready'} isLast />
        </ol>
      </div>
    </Dialog>
  )
}

function Failure({ project, failure }: { project: string; failure: UploadFailure }) {
  const { message, hasImage, keptSnapshot } = failure
  if (hasImage) {
    return (
      <Message tone="danger" title={common.errorTitle}>
        {text.leftoversError(message)}
      </Message>
    )
  }
  return (
    <Message
      tone="danger"
      title={common.errorTitle}
      action={
        keptSnapshot && (
          <Link
            href={`/projects/${project}/snapshots/${keptSnapshot}/images-new`}
            className="rounded-sm underline"
          >
            {text.fromSnapshotLabel(keptSnapshot)}
          </Link>
        )
      }
    >
      <p>{shared.tryAgainError}</p>
      <p>{message}</p>
    </Message>
  )
}

const styles: Record<StepStatus, { icon: ReactNode; color: string; statusText: string }> = {
  ready: {
    icon: <Minus aria-hidden="true" />,
    color: 'text-fg-subtle',
    statusText: text.stepWaitingText,
  },
  running: { icon: <Spinner />, color: 'text-info-text', statusText: text.stepRunningText },
  complete: {
    icon: <Check aria-hidden="true" />,
    color: 'text-accent-text',
    statusText: text.stepCompleteText,
  },
  error: {
    icon: <X aria-hidden="true" />,
    color: 'text-danger-text',
    statusText: text.stepFailedText,
  },
}

interface StepProps {
  label: string
  status: StepStatus
  isLast?: boolean
  children?: ReactNode
}

function Step({ label, status, isLast = false, children }: StepProps) {
  const { icon, color, statusText } = styles[status]
  return (
    <li
      data-testid={`upload-step: ${label}`}
      data-status={status}
      aria-current={status === 'running' ? 'step' : undefined}
      className={cn(
        'flex gap-3 border-t border-line px-3.5 py-2.5 text-sm first:border-t-0',
        status === 'ready' ? 'text-fg-subtle' : 'text-fg',
        isLast && status === 'complete' && 'bg-accent-bg text-accent-text',
      )}
    >
      <span
        className={cn(
          'mt-0.5 inline-flex size-4 shrink-0 items-center justify-center [&_svg]:size-4',
          color,
        )}
      >
        {icon}
      </span>
      <div className="min-w-0 grow">
        {label}
        <span className="sr-only"> ({statusText})</span>
        {children}
      </div>
    </li>
  )
}

/** How much of the file was sent. */
function Transfer({ progress }: { progress: UploadProgressState }) {
  const { file, chunksDone, chunksTotal, minutesLeft } = progress
  const percent = Math.round((100 * chunksDone) / chunksTotal)
  const bytes = Math.min(chunksDone * CHUNK_SIZE, file.size)
  return (
    <div className="mt-2 rounded-sm border border-line bg-sunken px-3 py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 text-xs text-fg-muted">
        <span className="min-w-0 truncate" title={file.name}>
          {truncate(file.name, 24, 'middle')}
        </span>
        <span className="font-mono whitespace-nowrap tabular">
          {twoDecimals(bytes)} / {twoDecimals(file.size)}
          <span className="ml-3 inline-block w-9 text-right text-fg">{percent}%</span>
        </span>
      </div>
      <ProgressBar label={text.progressLabel} percent={percent} className="mt-2" />
      {minutesLeft !== undefined && chunksDone < chunksTotal && (
        <p className="mt-1.5 text-xs text-fg-muted">{text.timeLeftText(minutesLeft)}</p>
      )}
    </div>
  )
}

/** Formats a size with two decimals, so that its width does not change while it grows. */
function twoDecimals(bytes: number): string {
  const { value, unit } = bytesToParts(bytes)
  return `${Number(value).toFixed(2)} ${unit}`
}
