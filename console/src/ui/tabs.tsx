import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

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

/**
 * Tabs within a page. The selected one is the only stop of the tab key; the arrow keys, Home and End select another. Tabs that are routes
 * live in `app/route-tabs.tsx`.
 */
export function Tabs({ label, items, selected, onSelect }: TabsProps) {
  const [own, setOwn] = useState(items[0]?.id)
  const current = selected ?? own
  const index = items.findIndex(({ id }) => id === current)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (list.current) revealTab(list.current, index)
  }, [index])
  const select = (next: string) => {
    setOwn(next)
    if (next !== current) onSelect?.(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = items[indexTowards(event.key, index, items.length)]
    if (!next) return
    event.preventDefault()
    select(next.id)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[items.indexOf(next)]?.focus()
  }
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the selected tab has the focus */}
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={tabListClass}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            id={`${id}-${item.id}`}
            aria-selected={item.id === current}
            aria-controls={item.id === current ? `${id}-panel` : undefined}
            tabIndex={item.id === current ? 0 : -1}
            onClick={() => select(item.id)}
            className={tabClass(item.id === current)}
          >
            {item.label}
          </button>
        ))}
      </div>
      <div
        key={current}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        className="pt-4"
      >
        {items[index]?.content}
      </div>
    </div>
  )
}

/** The place of the tab that a key leads to; -1 for none. */
function indexTowards(key: string, index: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count
    case 'ArrowLeft':
      return (index - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}
