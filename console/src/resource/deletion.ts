import type { ReactNode } from 'react'

import type { PlannedCall } from '~/api/planned-call'
import type { Call } from '~/as-code/call'
import type { DeletedKind } from '~/ui/confirm-delete'
import { tellMissing } from '~/ui/on-demand'

/** A resource whose deletion the server describes. */
export interface DeletionSubject {
  /** Its kind, as events have it. */
  kind: string
  id: string
}

/** Something that a person wants to delete. */
export interface DeletionRequest {
  /** What the server says of its deletion is part of the question; left out for what nothing hangs on. */
  of?: DeletionSubject
  /** The kind of thing, if the title names it. */
  kind?: DeletedKind
  /** The title, where it is another one. */
  title?: string
  /** The thing. A string is highlighted. */
  label: ReactNode
  /** The question, where it is another one. */
  question?: ReactNode
  /** A further paragraph about the consequences. */
  extra?: ReactNode
  /** What the deletion changes elsewhere, below the question. */
  effect?: ReactNode
  /** Title of the error toast, where it is another one. */
  errorTitle?: string
  /** Deletes the thing alone. */
  send: PlannedCall | (() => Promise<unknown>)
  /** The calls that it makes, where it is no planned one. */
  calls?: () => Promise<readonly Call[]>
  /** Leaves a page that shows only this thing. */
  leave?: () => Promise<unknown>
  /** Refetches what showed the thing, and says that it is gone. */
  done?: () => Promise<unknown>
}

/** Asks whether to delete something, with what hangs on it, and does so. The one way in which things are deleted. */
export function askToDelete(request: DeletionRequest): void {
  void import('./deletion-question').then(({ ask }) => ask(request), tellMissing)
}
