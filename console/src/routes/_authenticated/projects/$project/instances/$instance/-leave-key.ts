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
