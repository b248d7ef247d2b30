import type { ReactNode } from 'react'

import * as text from '~/messages/several'

/** Why something could not be done to one of several. */
export interface NamedFailure {
  key: string
  name: string
  message: string
  /** What can be done about it. */
  note?: ReactNode
}

/** What could not be done to some of several, and what can be done about each. */
export const FailureList = ({ failures }: { failures: readonly NamedFailure[] }) =>
  failures.length > 0 && (
    <ul className="max-h-60 space-y-1.5 overflow-y-auto">
      {failures.map(({ key, name, message, note }) => (
        <li key={key} className="space-y-1.5">
          <p className="break-words">{text.refusedForError(name, message)}</p>
          {note}
        </li>
      ))}
    </ul>
  )
