import { useSyncExternalStore } from 'react'

import { keptChoice } from '~/lib/kept-choice'

/** `system` follows the system's setting; see also public/assets/theme.js, which applies the choice before the first paint. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const { read, keep, subscribe } = keptChoice('croft-theme')

function chosenTheme(): ThemeChoice {
  const stored = read()
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Applies a theme and remembers it in this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = choice === 'system' ? system : choice
  keep(choice === 'system' ? null : choice)
}

export const useThemeChoice = () => useSyncExternalStore(subscribe, chosenTheme)
