import { useSyncExternalStore } from 'react'

const theme = () => document.documentElement.dataset.theme ?? ''

function subscribe(listener: () => void) {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The theme in force. What is painted rather than styled has to be painted again when it changes. */
export const useTheme = () => useSyncExternalStore(subscribe, theme)
