import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'

import { revealTab } from '~/ui/reveal-tab'
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
  const [own, setOwn] = useState(items[0]?.id)
  const current = selected ?? own
  const list = useRef<HTMLDivElement>(null)
  const index = items.findIndex(({ id }) => id === current)
  useEffect(() => {
    // In the next frame, because react-aria puts the list back to where it was when the tab takes the focus.
    const frame = requestAnimationFrame(() => list.current && revealTab(list.current, index))
    return () => cancelAnimationFrame(frame)
  }, [index])
  return (
    <AriaTabs
      selectedKey={current}
      onSelectionChange={(key) => {
        setOwn(String(key))
        onSelect?.(String(key))
      }}
    >
      <TabList ref={list} aria-label={label} className={tabListClass}>
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
