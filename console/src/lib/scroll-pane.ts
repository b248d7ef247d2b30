/** The id of the element that scrolls; the body never does. */
export const scrollPaneId = 'scroll-container'

/** The content pane, when a screen with one is shown. */
export const scrollPane = () => document.getElementById(scrollPaneId)

/** Where the tab keeps how far the pane was scrolled in a history entry. */
export const scrollKey = (entry: string | undefined) => `croft-scroll:${entry ?? ''}`

/** Whether the screen of the current history entry will be scrolled to where it was left. */
export function isScrollKept(): boolean {
  const state = window.history.state as { __TSR_key?: string } | null
  return Number(sessionStorage.getItem(scrollKey(state?.__TSR_key))) > 0
}
