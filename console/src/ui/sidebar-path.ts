/** How a sidebar link relates to the page that is shown. */
export type LinkMatch = 'current' | 'creating' | 'other'

/**
 * A link is current on its own path and below it. While a `{link}-new` form is open over the list,
 * the link keeps its look without being the current page. Query and hash do not matter.
 */
export function matchLink(path: string, link: { href: string; exact?: boolean }): LinkMatch {
  if (path === link.href) return 'current'
  if (link.exact) return 'other'
  if (path.startsWith(`${link.href}/`)) return 'current'
  return path.startsWith(`${link.href}-new`) ? 'creating' : 'other'
}

/** Long names would push the links about; the whole name is in the heading's tooltip. */
export const sidebarHeadingLimit = 24
