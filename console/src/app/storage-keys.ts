/** Where the browser keeps the screens that the person has opened. */
export const RECENT_SCREENS_KEY = 'croft-recent'
/** Where the browser keeps what the targets of the person's batches are called. */
export const BATCH_NOTES_KEY = 'croft-batches'
