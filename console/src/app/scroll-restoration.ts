import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

import { scrollKey, scrollPane } from '~/lib/scroll-pane'

const storageKey = ({ state }: ParsedLocation) => scrollKey(state.__TSR_key)

function remember(location: ParsedLocation | undefined) {
  const pane = scrollPane()
  if (location && pane) sessionStorage.setItem(storageKey(location), String(pane.scrollTop))
}

/** The pane as of the last restoration. */
let known: WeakRef<HTMLElement> | undefined

function restore(location: ParsedLocation) {
  const pane = scrollPane()
  if (!pane) return
  const isNew = known?.deref() !== pane
  known = new WeakRef(pane)
  const stored = sessionStorage.getItem(storageKey(location))
  // A list scrolls to the top when the rows of the next page arrive, not when they are requested.
  if (stored === null && location.state.previousPages) return
  const offset = Number(stored ?? 0)
  // A new pane is at its top. To scroll it would lay out the page before it is complete.
  if (offset > 0 || !isNew) pane.scrollTo(0, offset)
}

/** Keeps the pane's scroll offset per history entry: back and forward return to it, a fresh visit starts at the top. */
export function restoreScroll(router: AnyRouter): void {
  router.subscribe('onBeforeLoad', ({ fromLocation }) => remember(fromLocation))
  router.subscribe('onRendered', ({ toLocation }) => restore(toLocation))
  window.addEventListener('pagehide', () => remember(router.state.resolvedLocation))
}
