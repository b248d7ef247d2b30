const key = 'croft-flash'

/** Leaves a message for the page that a full navigation leads to. */
export function leaveFlash(message: string): void {
  sessionStorage.setItem(key, message)
}

/** The message that the page before left, once. */
export function takeFlash(): string | null {
  const message = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return message
}
