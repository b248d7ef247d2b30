import type { FormCalls } from './call'
import type { CodeSubject } from './subject'

/** The calls of a form that only shows something: those that read it and make it again. What knows them is loaded when they are opened. */
export const existingCalls =
  (subject: CodeSubject): FormCalls<unknown> =>
  async () =>
    (await (await import('./existing')).existing(subject)).calls
