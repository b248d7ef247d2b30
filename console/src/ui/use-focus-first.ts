import { useEffect, type RefObject } from 'react'

const focusable =
  'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled), button:not(:disabled), [tabindex="0"]'

/**
 * Puts the focus into the first field when a form opens, unless a field asked for it itself. Text above the fields does not
 * get the focus, because its tooltip would cover what is next to it.
 */
export function useFocusFirst(container: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = container.current
    if (element && !element.contains(document.activeElement)) focusFirst(element)
  }, [container])
}

/** Puts the focus into the first field. */
export function focusFirst(container: HTMLElement) {
  const places = Array.from(container.querySelectorAll<HTMLElement>(focusable))
  places.find((place) => !place.closest('dl'))?.focus()
}
