import * as text from '~/messages/tray'
import { workPath } from '~/resource/work-progress'
import { Button } from '~/ui/button'
import { Link } from '~/ui/link'
import { Spinner } from '~/ui/spinner'

import { TrayEntry } from './tray-entry'
import type { ShownWork } from './use-background-work'

interface WorkEntryProps {
  work: ShownWork
  /** The failed work is not to be shown any more. */
  onDismiss: () => void
}

/** Something that goes on by itself: what it is, the way to it, and why it failed. */
export function WorkEntry({ work, onDismiss }: WorkEntryProps) {
  const { kind, name, project, reason } = work
  const href = workPath(work)
  return (
    <TrayEntry
      title={text.workTitle[kind](name, project ?? '')}
      note={
        reason === undefined && (
          <span className="inline-flex items-center gap-1.5">
            <Spinner />
            {text.workRunningText}
          </span>
        )
      }
      state={String(reason === undefined)}
    >
      {reason !== undefined && (
        <p role="alert" className="text-xs break-words text-danger-text">
          {reason}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-md:[&_a]:inline-flex max-md:[&_a]:min-h-11 max-md:[&_a]:items-center max-md:[&_button]:h-11">
        {href && (
          <Link href={href} className="rounded-sm text-sm text-accent-text hover:underline">
            {text.openWorkLabel[kind]}
          </Link>
        )}
        {reason !== undefined && (
          <Button needs={null} variant="ghost" size="sm" onPress={onDismiss}>
            {text.dismissWorkLabel}
          </Button>
        )}
      </div>
    </TrayEntry>
  )
}
