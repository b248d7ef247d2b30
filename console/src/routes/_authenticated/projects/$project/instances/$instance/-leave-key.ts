/** How the key that leaves the terminal is written. */
export const LEAVE_KEY = ['Ctrl', 'Shift', '.'] as const

/**
 * Whether an event is the key that leaves the terminal. A serial line has no code for it, so no guest misses it, and
 * no browser uses it. The place of the key counts as well as its sign, since Shift turns the sign into another.
 */
export function isLeaveKey(
  event: Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code' | 'key'>,
): boolean {
  const { ctrlKey, shiftKey, altKey, metaKey, code, key } = event
  return ctrlKey && shiftKey && !altKey && !metaKey && (code === 'Period' || key === '.')
}
