import type { AnyRouter } from '@tanstack/react-router'

import { isApiPath } from './latency'

/** Saves what a path of the API answers as a file of this name. */
export type Download = (path: string, name: string) => void

/**
 * Makes every way to another screen a step inside the page. Signing out, an expired session and the links of error pages load a new
 * document elsewhere; here that would throw away the whole cloud. A reload still does: that is how one starts over.
 */
export function stayInPage(router: AnyRouter, download: Download): void {
  // A browser without this interface loads anew, and begins with the demo set again.
  if (!('navigation' in window)) return
  window.navigation.addEventListener('navigate', (event) => {
    const { destination, navigationType, downloadRequest, formData, canIntercept } = event
    const isOther = navigationType === 'push' || navigationType === 'replace'
    if (!isOther || !canIntercept || !event.cancelable) return
    if (destination.sameDocument || formData) return
    const { pathname, search, hash } = new URL(destination.url)
    if (downloadRequest !== null) {
      if (!isApiPath(pathname)) return
      event.preventDefault()
      download(pathname + search, downloadRequest)
      return
    }
    event.preventDefault()
    // Tells the console that the page is shown again, so that it can leave for the login screen again.
    window.dispatchEvent(new Event('pageshow'))
    // Several calls may fail for lack of a session at the same time. The first one has navigated already.
    if (pathname === '/login' && window.location.pathname === '/login') return
    void router.navigate({ href: pathname + search + hash, ignoreBlocker: true })
  })
}
