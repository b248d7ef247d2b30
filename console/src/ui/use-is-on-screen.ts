import { useEffect, useState, type RefObject } from 'react'

type Listener = (isOnScreen: boolean) => void

const listeners = new WeakMap<Element, Listener>()

// One for all, or each cell of a long list would have its own.
let observer: IntersectionObserver | undefined

function observe(element: Element, listener: Listener) {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
  })
  const observing = observer
  listeners.set(element, listener)
  observing.observe(element)
  return () => observing.unobserve(element)
}

/** Whether an element is on the screen, and not scrolled away. */
export function useIsOnScreen(ref: RefObject<Element | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    // Documents without layout, as in unit tests, have no observer: everything is on the screen.
    if (typeof IntersectionObserver === 'undefined') {
      setOnScreen(true)
      return undefined
    }
    return observe(element, setOnScreen)
  }, [ref])
  return isOnScreen
}
