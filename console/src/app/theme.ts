import { useSyncExternalStore } from 'react'

/** `system` follows the system's setting; see also public/assets/theme.js, which applies the choice before the first paint. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const key = 'croft-theme'
const changed = 'croft-theme-change'

function chosenTheme(): ThemeChoice {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Applies a theme and remembers it in this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, choice)
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = choice === 'system' ? system : choice
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

export const useThemeChoice = () => useSyncExternalStore(subscribe, chosenTheme)
