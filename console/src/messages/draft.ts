/** Drafts: what was entered in a form that was neither sent nor discarded. */

export const discardLabel = 'Discard draft'
export const discardedText = 'Draft discarded'
export const keptToast = 'What you entered is kept. You find it here when you open the form again.'
export const secretsText = 'Passwords, keys and files are not kept. Enter them again.'

export const restoredText = (time: string) => `Restored what you had typed at ${time}.`

export const restoredDayText = (date: string, time: string) =>
  `Restored what you had typed on ${date} at ${time}.`
