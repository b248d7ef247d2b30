import type { AnyRouteMatch } from '@tanstack/react-router'

import * as text from '~/messages/shell'

/** What a route adds to the breadcrumbs and the window title. */
export interface Crumb {
  label: string | ((params: Record<string, string>) => string)
  /** Where the crumb leads when that is not the route's own path: crumbs of redirecting routes lead to the final child. */
  to?: (params: Record<string, string>) => string
  /** In the window title only: forms shown as side modals, behind which the page stays visible. */
  titleOnly?: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** One crumb, or several for a route with more than one level. */
    crumb?: Crumb | readonly Crumb[]
    /** `full`: the screen fills the content pane itself, without padding, page scroll or bottom bar. */
    pane?: 'full'
  }
}

/** A crumb with everything filled in. */
export interface ResolvedCrumb {
  label: string
  href: string
  titleOnly: boolean
  /** Whether the label is a name from the path, not a word for a screen. */
  isName: boolean
}

type CrumbMatch = Pick<AnyRouteMatch, 'pathname' | 'params' | 'staticData'>

/** The crumbs of the matched routes, outermost first. */
export function resolveCrumbs(matches: readonly CrumbMatch[]): ResolvedCrumb[] {
  return matches.flatMap(({ staticData, pathname, params }) => {
    const values = params as Record<string, string>
    return [staticData.crumb ?? []].flat().map(({ label, to, titleOnly = false }) => ({
      label: typeof label === 'string' ? label : label(values),
      href: to?.(values) ?? (pathname.replace(/\/$/, '') || '/'),
      titleOnly,
      isName: typeof label === 'function',
    }))
  })
}

/** The window title: labels innermost first, then the console's name. */
export function windowTitle(crumbs: readonly ResolvedCrumb[]): string {
  return [...crumbs.map(({ label }) => label).toReversed(), text.consoleTitle].join(' / ')
}
