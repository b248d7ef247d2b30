import { createContext, use, type MouseEvent } from 'react'

/** Goes to an address of the console without loading the page. Without it, links are left to the browser. */
export const NavigateContext = createContext<((href: string) => void) | undefined>(undefined)

/** A handler for plain `<a>` elements that lead to the console's own addresses. */
export function useFollowLink(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const navigate = use(NavigateContext)
  return (event) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey, currentTarget } = event
    // What opens a tab or a window, or saves the target, is the browser's.
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || event.isDefaultPrevented())
      return
    const { target, download, origin } = currentTarget
    if ((target && target !== '_self') || download || origin !== window.location.origin) return
    const href = currentTarget.getAttribute('href')
    if (!navigate || href === null) return
    event.preventDefault()
    navigate(href)
  }
}
