import type { ReactNode } from 'react'

import { LinkTabs } from './link-tabs'

/** A tab that is a word in the URL. */
export interface QueryTab {
  /** The word. */
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
  /** The URL's word for the open tab. */
  selected: string | undefined
}

/** Tabs that are remembered in the URL. Switching takes the place of the current entry of the history. */
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
        // What the URL says besides, such as the page of one tab's list, means nothing to the others.
        search: index === 0 ? {} : { tab: id },
      }))}
      selected={selectedIndex}
      staysOnPage
    >
      {open?.content}
    </LinkTabs>
  )
}
