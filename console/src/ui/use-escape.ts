import { useEffectEvent, useLayoutEffect } from 'react'

/** The dialogs that are open, the topmost last. */
const open: Array<() => void> = []

/**
 * Lets Escape dismiss a dialog also while the focus is not in it: in the moment before the focus has moved into a dialog that
 * opens, and after the element that had the focus has gone. The dialog itself handles the key while the focus is in it, and
 * stops it there.
 */
export function useEscape(isOpen: boolean, onDismiss: () => void) {
  const dismiss = useEffectEvent(onDismiss)
  useLayoutEffect(() => {
    if (!isOpen) return
    const own = () => dismiss()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || open.at(-1) !== own) return
      event.preventDefault()
      own()
    }
    open.push(own)
    document.addEventListener('keydown', onKey)
    return () => {
      open.splice(open.indexOf(own), 1)
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen])
}
