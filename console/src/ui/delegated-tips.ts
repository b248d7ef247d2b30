import { createContext, type ReactNode, type RefCallback } from 'react'

/** A tooltip that something around its element shows. */
interface Tip {
  content: ReactNode
  /** Milliseconds before it opens under the pointer. */
  delay: number
}

/** Whether something around shows all tooltips inside. Then a tooltip costs no more than a note beside its element. */
export const DelegatedTipsContext = createContext(false)

const DEFAULT_DELAY = 250
const tips = new WeakMap<Element, Tip>()

/** Notes the tooltip of an element. The element also needs the attribute `data-tip`. */
export const tipRef =
  (tip: Tip | undefined): RefCallback<Element> =>
  (element) => {
    if (!element) return
    if (tip) tips.set(element, tip)
    else tips.delete(element)
  }

/** The element with a tooltip of its own, or with text that may be cut, at or around a place. */
export const tipTriggerAt = (place: EventTarget | null): HTMLElement | null =>
  place instanceof Element ? place.closest<HTMLElement>('[data-tip], [data-overflow]') : null

/** Whether the text of an element is cut at its edge. */
export const isCut = (element: HTMLElement): boolean => element.scrollWidth > element.clientWidth

/** The tooltip of an element; the whole text of one that is cut. */
export function tipOf(element: HTMLElement): Tip | undefined {
  const tip = tips.get(element)
  if (tip) return tip
  return 'overflow' in element.dataset && isCut(element)
    ? { content: element.textContent, delay: DEFAULT_DELAY }
    : undefined
}
