import { useRef } from 'react'

import { formatBytes } from '~/lib/units'
import * as text from '~/messages/image-resume'
import type { KeptUpload } from '~/resource/image-upload-record'
import { needsFile } from '~/resource/image-upload-resumption'
import { cancelUpload, resumeUpload, useUploadActivity } from '~/resource/image-uploads'
import type { UploadActivity } from '~/resource/image-uploads'
import { Button } from '~/ui/button'
import { ProgressBar } from '~/ui/progress-bar'

import { TrayEntry } from './tray-entry'

/** The upload of an image: how far it is, and what it takes to go on or to end it. */
export function UploadEntry({ upload }: { upload: KeptUpload }) {
  const { record, isRunning } = upload
  const { id, name, project } = record
  const activity = useUploadActivity(id)
  const cancel = () => {
    if (window.confirm(text.cancelQuestion)) void cancelUpload(id, isRunning)
  }
  return (
    <TrayEntry
      title={text.uploadTitle(name, project)}
      state={`${isRunning} ${activity?.error === undefined}`}
    >
      <Progress upload={upload} activity={activity} />
      {activity?.error && (
        <p role="alert" className="text-xs text-danger-text">
          {activity.error}
        </p>
      )}
      {!activity?.isEnding && (
        <div className="flex flex-wrap gap-2 max-md:[&_button]:h-11">
          {!isRunning && <ContinueButton upload={upload} />}
          <Button needs={null} variant="ghost" size="sm" onPress={cancel}>
            {text.cancelLabel}
          </Button>
        </div>
      )}
    </TrayEntry>
  )
}

interface ProgressProps {
  upload: KeptUpload
  activity: UploadActivity | undefined
}

function Progress({ upload: { record, isRunning }, activity }: ProgressProps) {
  const { file, chunksDone, chunkSize } = record
  const bytes = Math.min(chunksDone * chunkSize, file.size)
  const [sent, total] = [formatBytes(bytes), formatBytes(file.size)]
  if (activity?.checked !== undefined && isRunning) {
    return (
      <>
        <p className="text-xs break-words text-fg-muted">{text.checkingText(file.name)}</p>
        <ProgressBar label={text.checkLabel} percent={activity.checked} />
      </>
    )
  }
  if (isRunning) {
    return (
      <>
        <p className="text-xs break-words text-fg-muted tabular">
          {text.runningText(file.name, sent, total)}
        </p>
        <ProgressBar label={text.progressLabel} percent={Math.round((100 * bytes) / file.size)} />
      </>
    )
  }
  return (
    <div className="text-xs break-words text-fg-muted tabular">
      <p>
        {needsFile(record)
          ? text.interruptedText(file.name, sent, total)
          : text.interruptedLaterText(file.name)}
      </p>
      {needsFile(record) && <p>{text.selectFileHelp}</p>}
    </div>
  )
}

function ContinueButton({ upload: { record } }: { upload: KeptUpload }) {
  const { id, file } = record
  const input = useRef<HTMLInputElement>(null)
  if (!needsFile(record)) {
    return (
      <Button
        needs={null}
        variant="secondary"
        size="sm"
        onPress={() => void resumeUpload(id, undefined)}
      >
        {text.continueLabel}
      </Button>
    )
  }
  return (
    <>
      <Button
        needs={null}
        variant="secondary"
        size="sm"
        className="max-w-full"
        onPress={() => input.current?.click()}
      >
        <span className="truncate">{text.selectFileLabel(file.name)}</span>
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.item(0)
          // The same file can be chosen again after it was refused.
          currentTarget.value = ''
          if (chosen) void resumeUpload(id, chosen)
        }}
      />
    </>
  )
}
