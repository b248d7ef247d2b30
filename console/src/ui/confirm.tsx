import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

import type { Call } from '~/as-code/call'
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
  /** The calls that the action makes, which the question shows as code; absent if no program could make them. */
  calls?: readonly Call[]
}

/** There is only something to read. */
interface Notice {
  action?: undefined
}

/** A dialog of its own in the place of a question. */
export type DialogOptions = {
  /** Tells it from others. */
  title: string
  dialog: (close: () => void) => ReactNode
}

let pending: ConfirmOptions | DialogOptions | null = null
const listeners = new Set<() => void>()

function ask(next: typeof pending) {
  pending = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const giveUp = () => ask(null)

/**
 * Asks for confirmation, or shows something else, from where no component can show it. `ConfirmHost` shows the dialog, until the person
 * goes back or forward in the browser.
 */
export function confirm(options: ConfirmOptions | DialogOptions): void {
  ask(options)
  window.addEventListener('popstate', giveUp, { once: true })
}

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
