import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

import { revealTab } from '~/ui/reveal-tab'
import { sideTabClass, sideTabListClass, tabClass, tabListClass } from '~/ui/tab-class'

/** A tab that is a link. */
export interface LinkTab {
  id: string
  label: ReactNode
  /** The path that it leads to. */
  to: string
  /** The search part of the URL. */
  search?: object
}

/** Further arrow keys for vertical tabs. The horizontal ones work too, because the tabs are in a row on a phone. */
const sideways = { ArrowUp: -1, ArrowDown: 1 }

interface LinkTabsProps {
  /** Accessible name of the list. */
  label: string
  tabs: readonly LinkTab[]
  /** Index of the open tab; -1 for none. */
  selected: number
  /** Opening a tab replaces the current history entry and does not scroll. */
  staysOnPage?: boolean
  /** Beside the panel instead of above it, where there is room. */
  isBeside?: boolean
  /** The panel of the open tab. */
  children: ReactNode
}

/** Tabs that are links. The arrow keys open the next and the previous one. */
export function LinkTabs(props: LinkTabsProps) {
  const { label, tabs, selected, staysOnPage = false, isBeside = false, children } = props
  const navigate = useNavigate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const manner = staysOnPage ? { replace: true, resetScroll: false } : {}
  useEffect(() => {
    if (list.current) revealTab(list.current, selected)
  }, [selected])

  const openNeighbour = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ...(isBeside && sideways) }[event.key]
    if (!step || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    const next = (Math.max(selected, 0) + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (!tab) return
    document.getElementById(`${id}-${next}`)?.focus()
    void navigate({ to: tab.to, search: tab.search, ...manner })
  }

  return (
    <div className={isBeside ? 'gap-6 md:grid md:grid-cols-[9rem_minmax(0,1fr)]' : undefined}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className={isBeside ? sideTabListClass : tabListClass}
      >
        {tabs.map(({ id: key, label: text, to, search }, index) => {
          const isSelected = index === selected
          return (
            <Link
              key={key}
              id={`${id}-${index}`}
              to={to}
              search={search}
              {...manner}
              role="tab"
              aria-selected={isSelected}
              aria-controls={isSelected ? `${id}-panel` : undefined}
              tabIndex={isSelected || (selected === -1 && index === 0) ? 0 : -1}
              className={isBeside ? sideTabClass(isSelected) : tabClass(isSelected)}
              onKeyDown={openNeighbour}
            >
              {text}
            </Link>
          )
        })}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={selected === -1 ? undefined : `${id}-${selected}`}
        tabIndex={0}
        className={isBeside ? 'pt-4 md:pt-0' : 'pt-4'}
      >
        {children}
      </div>
    </div>
  )
}
