import { createContext, useContext } from 'react'

/** What a popover, menu or list box is in; decides its layer. */
export type Layer = 'page' | 'side-modal' | 'modal'

/** Set by `Dialog` and `SideModal` for everything inside them. */
export const LayerContext = createContext<Layer>('page')

/**
 * The page's layers, low to high: content 0, content popovers 10, top bar 15, menus 20, scrim 25,
 * side modal 30, modal and drop-downs of a side modal 40, drop-downs of a modal and toasts 50.
 * The `z-*` utilities in `styles/base.css` name the same figures.
 */
const popoverHeights: Record<Layer, { popover: number; menu: number }> = {
  page: { popover: 10, menu: 20 },
  'side-modal': { popover: 40, menu: 40 },
  modal: { popover: 50, menu: 50 },
}

/** The `z-index` of a popover or menu opened here. Tooltips are above all and need none of this. */
export function usePopoverZIndex(kind: 'popover' | 'menu' = 'popover'): number {
  return popoverHeights[useContext(LayerContext)][kind]
}

/** Tooltips explain whatever is under the pointer, so nothing covers them. */
export const tooltipZIndex = 60
