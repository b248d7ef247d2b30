import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Keeps values in the URL of the screen without a navigation: the router's own way would run the loaders, which would fetch what is on
 * the screen. The router's location never has what is written here, and so it is written again after each navigation on the screen.
 *
 * @param values by the names of their parameters; those without a value are taken out. The same object as long as nothing changes.
 */
export function useInUrl(values: Readonly<Record<string, string | undefined>>): void {
  const router = useRouter()
  useEffect(() => {
    const write = () => {
      // While the next screen is loading, this one is still there, but the URL is the other's.
      const { location, resolvedLocation } = router.state
      if (location.pathname === resolvedLocation?.pathname) writeToUrl(values)
    }
    write()
    return router.subscribe('onResolved', write)
  }, [router, values])
}

/** The router replaces `replaceState` of the browser's history by its own. */
function writeToUrl(values: Readonly<Record<string, string | undefined>>): void {
  const url = new URL(window.location.href)
  const { searchParams } = url
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) searchParams.delete(name)
    else searchParams.set(name, value)
  }
  if (url.search === window.location.search) return
  History.prototype.replaceState.call(window.history, window.history.state, '', url)
}
