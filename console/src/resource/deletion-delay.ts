import { useSyncExternalStore } from 'react'

/** Seconds for which a confirmed deletion can be undone, because nothing has been sent yet. */
export const DELETION_DELAY = 10

const key = 'croft-deletions'
const AT_ONCE = 'at-once'
const changed = 'croft-deletions-change'

/** Whether deletions are held back for {@link DELETION_DELAY}: unless the person wants them at once, in this browser. */
export const areDeletionsHeld = (): boolean => localStorage.getItem(key) !== AT_ONCE

/** Chooses whether deletions are held back, and remembers it in this browser. */
export function holdDeletions(isWanted: boolean): void {
  if (isWanted) localStorage.removeItem(key)
  else localStorage.setItem(key, AT_ONCE)
  window.dispatchEvent(new Event(changed))
}

function subscribe(listener: () => void) {
  window.addEventListener(changed, listener)
  window.addEventListener('storage', listener)
  return () => {
    window.removeEventListener(changed, listener)
    window.removeEventListener('storage', listener)
  }
}

export const useAreDeletionsHeld = () => useSyncExternalStore(subscribe, areDeletionsHeld)
