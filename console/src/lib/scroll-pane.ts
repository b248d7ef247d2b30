/** The id of the element that scrolls; the body never does. */
export const scrollPaneId = 'scroll-container'

/** The content pane, when a screen with one is shown. */
export const scrollPane = () => document.getElementById(scrollPaneId)
