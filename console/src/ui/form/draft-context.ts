import { createContext } from 'react'

import type { FormDraft } from '~/ui/form/form-draft'

/** A form is open, was closed by a person who gives up what is in it, or was sent. */
type Outcome = 'open' | 'discarded' | 'sent'

/** What became of a form. A form that goes away while it is open leaves a draft. */
export interface FormOutcome {
  get: () => Outcome
  set: (outcome: Outcome) => void
}

/** The outcome of a form that was just opened. */
export function openForm(): FormOutcome {
  let outcome: Outcome = 'open'
  return {
    get: () => outcome,
    set: (next) => {
      outcome = next
    },
  }
}

/** The form around, for its sub-forms and for forms in dialogs that it opens. */
export interface DraftContextValue {
  outcome: FormOutcome
  /** Absent as long as it is not known what was kept. */
  draft?: FormDraft
}

/** The form around; none outside of a form that keeps drafts. */
export const DraftContext = createContext<DraftContextValue | null>(null)
