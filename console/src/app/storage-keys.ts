/** Where the browser keeps the screens that the person has opened. */
export const RECENT_SCREENS_KEY = 'croft-recent'
/** Where all tabs find that a view as another user has begun or ended. */
export const VIEW_AS_KEY = 'croft-view-as'
/** Where a tab keeps the screen on which the view began. */
export const VIEW_AS_RETURN_KEY = 'croft-view-as-return'
/** Where all tabs find what goes on by itself and has not ended, such as a snapshot that is being taken. */
export const BACKGROUND_WORK_KEY = 'croft-work'
/** Where the browser keeps what the targets of the person's batches are called. */
export const BATCH_NOTES_KEY = 'croft-batches'
