import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'

import { tabClass, tabListClass } from '~/ui/tab-class'

export type TabItem = { id: string; label: ReactNode; content: ReactNode }

type TabsProps = {
  /** Accessible name of the list. */
  label: string
  items: TabItem[]
  /** Both or neither: without them the tabs remember the choice themselves. */
  selected?: string
  onSelect?: (id: string) => void
}

/** Tabs within a page. Tabs that are routes live in `app/route-tabs.tsx`. */
export function Tabs({ label, items, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={onSelect && ((key) => onSelect(String(key)))}
    >
      <TabList aria-label={label} className={tabListClass}>
        {items.map(({ id, label: text }) => (
          <Tab key={id} id={id} className={({ isSelected }) => tabClass(isSelected)}>
            {text}
          </Tab>
        ))}
      </TabList>
      {items.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="pt-4">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
