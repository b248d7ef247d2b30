import type { FormCalls } from './call'
import type { Existing } from './existing-read'
import type { CodeSubject } from './subject'

/** Reads something as calls. What knows how is a file of its own, so that menus do not have the list of all that it loads. */
export const readExisting = async (subject: CodeSubject): Promise<Existing> =>
  (await import('./existing')).existing(subject)

/** The calls of a form that only shows something: those that read it and make it again. */
export const existingCalls =
  (subject: CodeSubject): FormCalls<unknown> =>
  async () =>
    (await readExisting(subject)).calls
