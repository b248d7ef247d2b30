import { VIEW_AS_KEY } from './storage-keys'

/** Goes to a path with nothing kept of what was fetched, in every tab. */
type StartAnew = (path: string) => void

let start: StartAnew = (path) => {
  // Browsers tell every tab but the one that writes.
  localStorage.setItem(VIEW_AS_KEY, `${Date.now()}`)
  window.location.assign(path)
}

/** Leaves for a path by a full navigation, which empties every cache, and has the other tabs load anew. */
export const startAnew: StartAnew = (path) => start(path)

/** Puts another way in the place of a full navigation, for a page that has its cloud in itself. */
export function replaceStartAnew(other: StartAnew): void {
  start = other
}
