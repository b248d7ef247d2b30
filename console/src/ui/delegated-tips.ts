import { createContext, type ReactNode, type Ref, type RefCallback } from 'react'

/** Where a tooltip shows, as seen from its element. */
export type TipPlacement = 'top' | 'bottom' | 'left' | 'right'

/** A tooltip that something around its element shows. */
export interface Tip {
  content: ReactNode
  /** Milliseconds before it opens under the pointer. */
  delay: number
  placement?: TipPlacement
  /** A press opens it. Otherwise a press puts it away, because it does what the tooltip explains. */
  opensOnPress?: boolean
}

/** Whether something around shows all tooltips inside. Then a tooltip costs no more than a note beside its element. */
export const DelegatedTipsContext = createContext(false)

/** Whether something is in a card of a table, which has room for what would otherwise be in a tooltip. */
export const CardContext = createContext(false)

/** The tooltips of elements. Such an element also has the attribute `data-tip`. */
export const tips = new WeakMap<Element, Tip | null>()

/** Whether the text of an element is cut at its edge. */
export const isCut = (element: HTMLElement): boolean => element.scrollWidth > element.clientWidth

/** Notes the tooltip of an element, null for none at present, and passes the element on. */
export const tipRef =
  (tip: Tip | null, ...others: Array<Ref<HTMLElement> | undefined>): RefCallback<HTMLElement> =>
  (element) => {
    if (element) tips.set(element, tip)
    for (const other of others) {
      if (typeof other === 'function') other(element)
      else if (other) other.current = element
    }
  }
