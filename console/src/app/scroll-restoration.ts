import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'

import { scrollPane } from '~/lib/scroll-pane'

const storageKey = ({ state }: ParsedLocation) => `croft-scroll:${state.__TSR_key ?? ''}`

function remember(location: ParsedLocation | undefined) {
  const pane = scrollPane()
  if (location && pane) sessionStorage.setItem(storageKey(location), String(pane.scrollTop))
}

function restore(location: ParsedLocation) {
  const stored = sessionStorage.getItem(storageKey(location))
  // A list scrolls to the top when the rows of the next page arrive, not when they are requested.
  if (stored === null && location.state.previousPages) return
  scrollPane()?.scrollTo(0, Number(stored ?? 0))
}

/** Keeps the pane's scroll offset per history entry: back and forward return to it, a fresh visit starts at the top. */
export function restoreScroll(router: AnyRouter): void {
  router.subscribe('onBeforeLoad', ({ fromLocation }) => remember(fromLocation))
  router.subscribe('onRendered', ({ toLocation }) => restore(toLocation))
  window.addEventListener('pagehide', () => remember(router.state.resolvedLocation))
}
