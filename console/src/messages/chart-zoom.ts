/** Zooming in charts, and the marks of events in them. */

export const zoomOutLabel = 'Zoom out'
export const longestRangeError = 'Measurements are kept for 30 days.'
export const zoomHelp =
  'Drag to zoom in, or hold Shift with the arrow keys and press Enter. Double-click or press minus to zoom out.'
export const eventsLabel = 'Events'

export const selectedText = (range: string) => `Selected ${range}. Press Enter to zoom in.`
