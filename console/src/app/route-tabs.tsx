import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

import { tabClass, tabListClass } from '~/ui/tab-class'

/** A tab that is a route. */
export interface RouteTab {
  label: string
  /** Where it leads. */
  to: string
  /** Selected on this path and everything below it, if that is wider than `to`. */
  activeUnder?: string
}

interface RouteTabsProps {
  /** Accessible name of the list. */
  label: string
  tabs: readonly RouteTab[]
  /** The outlet of the selected route. */
  children: ReactNode
}

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

/** Tabs whose panels are routes: links, of which the arrow keys open the neighbours. */
export function RouteTabs({ label, tabs, children }: RouteTabsProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = useId()
  const selected = tabs.findIndex(({ to, activeUnder }) => isUnder(pathname, activeUnder ?? to))

  const openNeighbour = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    const next = (Math.max(selected, 0) + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (!tab) return
    document.getElementById(`${id}-${next}`)?.focus()
    void navigate({ href: tab.to })
  }

  return (
    <>
      <div role="tablist" aria-label={label} className={tabListClass}>
        {tabs.map((tab, index) => {
          const isSelected = index === selected
          return (
            <Link
              key={tab.to}
              id={`${id}-${index}`}
              to={tab.to}
              role="tab"
              aria-selected={isSelected}
              aria-controls={isSelected ? `${id}-panel` : undefined}
              tabIndex={isSelected || (selected === -1 && index === 0) ? 0 : -1}
              className={tabClass(isSelected)}
              onKeyDown={openNeighbour}
            >
              {tab.label}
            </Link>
          )
        })}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={selected === -1 ? undefined : `${id}-${selected}`}
        tabIndex={0}
        className="pt-4"
      >
        {children}
      </div>
    </>
  )
}
