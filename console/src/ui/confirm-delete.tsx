import type { ReactNode } from 'react'

import * as text from '~/messages/confirm'
import { confirm } from '~/ui/confirm'
import type { Question } from '~/ui/confirm'

export type DeletedKind = keyof typeof text.deleteKindTitle

export type ConfirmDeleteOptions = {
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
  /** Title of the toast that says that it failed, where it is another one. */
  errorTitle?: string
} & Pick<Question, 'action'>

/** The one question before every deletion. */
export function confirmDelete({
  kind,
  title = kind ? text.deleteKindTitle[kind] : text.deleteTitle,
  label,
  question = text.deleteQuestion(typeof label === 'string' ? <b>{label}</b> : label),
  extra,
  effect,
  errorTitle = text.deleteFailedTitle,
  action,
}: ConfirmDeleteOptions): void {
  confirm({
    title,
    body: (
      <>
        <p>{question}</p>
        {extra && <p>{extra}</p>}
        {effect}
      </>
    ),
    tone: 'danger',
    action,
    errorTitle,
  })
}
