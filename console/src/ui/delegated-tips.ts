import { createContext, type ReactNode, type RefCallback } from 'react'

/** A tooltip that something around its element shows. */
export interface Tip {
  content: ReactNode
  /** Milliseconds before it opens under the pointer. */
  delay: number
}

/** Whether something around shows all tooltips inside. Then a tooltip costs no more than a note beside its element. */
export const DelegatedTipsContext = createContext(false)

/** Whether something is in a card of a table, which has room for what would otherwise be in a tooltip. */
export const CardContext = createContext(false)

/** The tooltips of elements. Such an element also has the attribute `data-tip`. */
export const tips = new WeakMap<Element, Tip | null>()

/** Notes the tooltip of an element; null for none at present. */
export const tipRef =
  (tip: Tip | null): RefCallback<Element> =>
  (element) => {
    if (element) tips.set(element, tip)
  }
