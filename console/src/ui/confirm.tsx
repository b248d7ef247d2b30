import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

import { onDemand } from '~/ui/on-demand'

export type ConfirmOptions = {
  title: string
  /** Names the thing and the consequence. */
  body: ReactNode
} & (Question | Notice)

/** There is something to confirm. */
export interface Question {
  tone: 'primary' | 'danger'
  /** What to do once confirmed. A rejection is shown as an error toast. */
  action: () => Promise<unknown>
  /** Title of that toast. */
  errorTitle: string
  /** The verb on the button; "Confirm" unless said otherwise. */
  confirmLabel?: string
}

/** There is only something to read. */
interface Notice {
  action?: undefined
}

let pending: ConfirmOptions | null = null
const listeners = new Set<() => void>()

function ask(next: ConfirmOptions | null) {
  pending = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Asks for confirmation, or shows something to read. `ConfirmHost` shows the dialog. */
export const confirm = (options: ConfirmOptions): void => ask(options)

/** Loaded with the first question. */
const ConfirmQuestion = onDemand(
  async () => (await import('~/ui/confirm-question')).ConfirmQuestion,
)

/** Shows the question of `confirm`; one for the app, outside of every layout. */
export function ConfirmHost() {
  const question = useSyncExternalStore(subscribe, () => pending)
  if (!question) return null
  // The action may have asked another question.
  const close = () => {
    if (pending === question) ask(null)
  }
  return <ConfirmQuestion key={question.title} {...question} onDone={close} onMissing={close} />
}
