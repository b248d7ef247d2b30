import * as text from '~/messages/serial-console-screens'

/** The keys that leave the terminal when they are pressed together, as they are labelled. */
export const LEAVE_KEY = [text.controlKeyLabel, text.shiftKeyLabel, '.'] as const

/**
 * Whether an event is the combination that leaves the terminal. A serial line has no code for it, so no guest needs it, and
 * no browser uses it. The key is recognized by its position or its character, because Shift changes the character.
 */
export function isLeaveKey(
  event: Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code' | 'key'>,
): boolean {
  const { ctrlKey, shiftKey, altKey, metaKey, code, key } = event
  return ctrlKey && shiftKey && !altKey && !metaKey && (code === 'Period' || key === '.')
}

/** Whether an event is the combination by which browsers find a text: with Ctrl, or Cmd on a Mac. */
export function isFindKey(
  event: Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'key'>,
): boolean {
  const { ctrlKey, shiftKey, altKey, metaKey, key } = event
  return ctrlKey !== metaKey && !shiftKey && !altKey && key.toLowerCase() === 'f'
}
