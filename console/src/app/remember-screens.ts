import type { AnyRouter } from '@tanstack/react-router'

import { resolveCrumbs } from './crumbs'
import { rememberScreen } from './recent-screens'

/** Remembers the resources whose screens the person opens, for the palette, until the signal aborts. */
export function rememberScreens(router: AnyRouter, person: string, signal: AbortSignal): void {
  const remember = () => {
    const named = resolveCrumbs(router.state.matches).filter(({ isName }) => isName)
    const last = named.at(-1)
    if (!last) return
    const containers = named.slice(0, -1).map(({ label }) => label)
    rememberScreen(person, { href: last.href, label: last.label, containers })
  }
  remember()
  signal.addEventListener('abort', router.subscribe('onResolved', remember))
}
