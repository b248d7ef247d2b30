import { useNavigate } from '@tanstack/react-router'

import type { TabItem } from '~/ui/tabs'
import { Tabs } from '~/ui/tabs'

/** What a page with tabs keeps in the URL. The first tab needs no word there. */
export interface TabSearch {
  tab?: string
}

/** The part of `validateSearch` that belongs to the tabs: a tab that the page does not have counts as none. */
export function tabSearch(ids: readonly string[]) {
  return ({ tab }: Record<string, unknown>): TabSearch =>
    typeof tab === 'string' && ids.indexOf(tab) > 0 ? { tab } : {}
}

interface QueryTabsProps {
  /** Accessible name of the list. */
  label: string
  /** At least one; the first is what the page opens with. */
  items: TabItem[]
  /** The URL's word for the open tab. */
  selected: string | undefined
}

/** Tabs that are remembered in the URL. Switching takes the place of the current entry of the history. */
export function QueryTabs({ label, items, selected }: QueryTabsProps) {
  const navigate = useNavigate()
  const first = items[0]?.id
  const isOffered = items.some(({ id }) => id === selected)
  return (
    <Tabs
      label={label}
      items={items}
      selected={isOffered ? selected : first}
      onSelect={(id) =>
        void navigate({
          to: '.',
          // A page of one tab's list means nothing to the others.
          search: id === first ? {} : { tab: id },
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}
