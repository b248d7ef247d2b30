/** A choice that the browser keeps for all tabs. */
export interface KeptChoice {
  /** What was chosen; null for what is usual. */
  read: () => string | null
  /** Keeps a choice, or forgets it when it is null. */
  keep: (choice: string | null) => void
  /** Calls a listener after each change, in this tab and others, for `useSyncExternalStore`. */
  subscribe: (listener: () => void) => () => void
}

/** The choice that is kept under a key of the browser's storage. */
export function keptChoice(key: string): KeptChoice {
  const changed = `${key}-change`
  return {
    read: () => localStorage.getItem(key),
    keep: (choice) => {
      if (choice === null) localStorage.removeItem(key)
      else localStorage.setItem(key, choice)
      window.dispatchEvent(new Event(changed))
    },
    subscribe: (listener) => {
      window.addEventListener(changed, listener)
      window.addEventListener('storage', listener)
      return () => {
        window.removeEventListener(changed, listener)
        window.removeEventListener('storage', listener)
      }
    },
  }
}
