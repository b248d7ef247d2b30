import type { ReactNode } from 'react'

import { ApiError } from '~/api/errors'
import { failureMessage } from '~/ui/failure-message'
import { toast } from '~/ui/toast'

/** Shows that something failed, and what can be done about it. With something to do, the note stays until it is dismissed. */
export async function toastFailure(failure: unknown, title?: string): Promise<void> {
  const message = failureMessage(failure)
  const note = await repairNote(failure)
  toast({
    variant: 'error',
    title,
    content: note ? (
      <div className="space-y-2">
        <p>{message}</p>
        {note}
      </div>
    ) : (
      message
    ),
    timeout: note ? null : undefined,
  })
}

/** What can be done about a failure; nothing where its message says everything. */
export async function repairNote(failure: unknown): Promise<ReactNode> {
  if (!(failure instanceof ApiError) || !failure.failed) return undefined
  try {
    const { repairNoteOf } = await import('~/resource/repair-note')
    return repairNoteOf(failure)
  } catch {
    // Without its code there is still the message.
    return undefined
  }
}
