import { VIEW_AS_KEY } from './storage-keys'

/**
 * Loads the page anew when a view as another user begins or ends in another tab, and when the browser shows a page of before, until the
 * signal aborts.
 */
export function followViewOfOtherTabs(signal: AbortSignal): void {
  window.addEventListener(
    'storage',
    ({ key, newValue }) => {
      if (key === VIEW_AS_KEY && newValue !== null) window.location.reload()
    },
    { signal },
  )
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) window.location.reload()
    },
    { signal },
  )
}
