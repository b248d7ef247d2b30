import type { ReactNode } from 'react'

import { LinkTabs } from './link-tabs'

/** A tab that is selected by a search parameter. */
export interface QueryTab {
  /** Value of the parameter. */
  id: string
  label: ReactNode
  content: ReactNode
}

interface QueryTabsProps {
  /** Accessible name of the list. */
  label: string
  /** At least one; the first is what the page opens with. */
  items: readonly QueryTab[]
  /** Path of the page. */
  path: string
  /** Value of the parameter for the open tab. */
  selected: string | undefined
}

/** Tabs that are kept in the URL. Switching replaces the current history entry. */
export function QueryTabs({ label, items, path, selected }: QueryTabsProps) {
  const selectedIndex = Math.max(
    items.findIndex(({ id }) => id === selected),
    0,
  )
  const open = items[selectedIndex]
  return (
    <LinkTabs
      label={label}
      tabs={items.map(({ id, label: text }, index) => ({
        id,
        label: text,
        to: path,
        // Other parameters, such as the page of one tab's list, do not apply to the other tabs.
        search: index === 0 ? {} : { tab: id },
      }))}
      selected={selectedIndex}
      staysOnPage
    >
      {open?.content}
    </LinkTabs>
  )
}
