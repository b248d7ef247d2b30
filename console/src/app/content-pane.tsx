import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The bar at the bottom of the content pane; none outside of a pane. */
export const BottomSlotContext = createContext<HTMLElement | null>(null)

/** Puts pagination, or the buttons of a full-page form, into the bar at the bottom of the content pane. */
export function ContentActions({ children }: { children: ReactNode }) {
  const slot = useContext(BottomSlotContext)
  return slot && createPortal(children, slot)
}
