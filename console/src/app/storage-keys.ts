/** Where the browser keeps the screens that the person has opened. */
export const RECENT_SCREENS_KEY = 'croft-recent'
