import type { KeyboardEvent } from 'react'

/** Inputs in which Enter does something else than to send the form. */
const BUTTONS = new Set(['button', 'file', 'image', 'reset', 'submit'])

/**
 * Lets Enter in an input send its form, as browsers do: for `onKeyDown` of a form. Browsers would click the form's button for it.
 * React-aria takes such a click for that of a screen reader, waits for transitions before it returns the focus from a dialog, and misses
 * the end of some: then the focus is nowhere.
 */
export function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget, nativeEvent } = event
  if (key !== 'Enter' || event.defaultPrevented || nativeEvent.isComposing) return
  // Events bubble through portals: the input may be in a dialog that was opened from the form.
  if (!(target instanceof HTMLInputElement) || target.form !== currentTarget) return
  if (BUTTONS.has(target.type)) return
  event.preventDefault()
  if (!event.repeat) currentTarget.requestSubmit()
}
