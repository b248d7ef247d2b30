import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { LinkTabs } from './link-tabs'

/** A tab that is a route. */
export interface RouteTab {
  label: string
  /** Where it leads. */
  to: string
  /** What the tabs share in the URL. */
  search?: object
  /** Further paths on which it is selected, as on everything below them: those of the forms that open over it. */
  alsoUnder?: readonly string[]
}

interface RouteTabsProps {
  /** Accessible name of the list. */
  label: string
  tabs: readonly RouteTab[]
  /** Beside the panel instead of above it, where there is room. */
  isBeside?: boolean
  /** The outlet of the selected route. */
  children: ReactNode
}

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

/** Tabs whose panels are routes. */
export function RouteTabs({ label, tabs, isBeside, children }: RouteTabsProps) {
  const { pathname } = useLocation()
  return (
    <LinkTabs
      label={label}
      isBeside={isBeside}
      tabs={tabs.map(({ to, search, ...tab }) => ({ id: to, label: tab.label, to, search }))}
      selected={tabs.findIndex(({ to, alsoUnder = [] }) =>
        [to, ...alsoUnder].some((prefix) => isUnder(pathname, prefix)),
      )}
    >
      {children}
    </LinkTabs>
  )
}
