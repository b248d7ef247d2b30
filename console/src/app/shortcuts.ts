import { useEffect } from 'react'

import { currentActions } from './action-registry'
import type { Action } from './action-registry'

/** How long the second key of a sequence may take, in milliseconds. */
const sequencePause = 1500

/** What the keyboard does beside the registered actions. */
export interface ShortcutTargets {
  togglePalette: () => void
  openShortcutList: () => void
  perform: (action: Action) => void
}

/** The first filter field of the screen. */
export const filterField = () => document.querySelector<HTMLElement>('[data-filter]')

/** Whether the key belongs to a focused field, menu or terminal, or a dialog is open over the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true
  if (document.querySelector('[aria-modal="true"], [role="dialog"], [role="alertdialog"]'))
    return true
  const { target } = event
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="menu"], [role="listbox"], [role="application"]',
    ) !== null
  )
}

const isPaletteKey = (event: KeyboardEvent) =>
  (event.metaKey || event.ctrlKey) &&
  !event.altKey &&
  !event.shiftKey &&
  event.key.toLowerCase() === 'k'

/**
 * A key handler for the console's shortcuts: `Mod+K` anywhere; `/`, `?`, `n`, `g` and then a letter where no field or dialog takes the
 * keys. Gives true when the key was used. What counts is when keys were pressed: a busy page may handle them late.
 */
export function shortcutHandler(
  targets: ShortcutTargets,
  pressedAt: (event: KeyboardEvent) => number,
) {
  let prefix = ''
  let prefixAt = 0

  return (event: KeyboardEvent): boolean => {
    if (isPaletteKey(event)) {
      targets.togglePalette()
      return true
    }
    if (isTaken(event) || event.key.length !== 1) return false
    const keys =
      prefix && pressedAt(event) - prefixAt < sequencePause ? `${prefix} ${event.key}` : event.key
    prefix = ''
    if (keys === '/') {
      const field = filterField()
      field?.focus()
      return field !== null
    }
    if (keys === '?') {
      targets.openShortcutList()
      return true
    }
    const action = currentActions().find(({ shortcut }) => shortcut === keys)
    if (action) {
      if (!action.disabledReason) targets.perform(action)
      return true
    }
    if (currentActions().some(({ shortcut }) => shortcut?.startsWith(`${keys} `))) {
      prefix = keys
      prefixAt = pressedAt(event)
      return true
    }
    return false
  }
}

/** Listens for the shortcuts while mounted. */
export function useShortcuts(targets: ShortcutTargets): void {
  useEffect(() => {
    const handle = shortcutHandler(targets, ({ timeStamp }) => timeStamp)
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && handle(event)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [targets])
}
