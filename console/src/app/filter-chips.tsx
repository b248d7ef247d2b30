import { X } from 'lucide-react'
import { useRef } from 'react'

import * as text from '~/messages/list-filters'
import { MenuButton } from '~/ui/menu'

import { columnMenuLabel } from './column-menu-label'
import { FilterPanel } from './filter-menu'
import type { FilterMenuProps } from './filter-menu'
import { valueLabel } from './filter-values'
import { filtersOf, withFilter } from './list-view'
import { filterField } from './shortcuts'

const NONE: ReadonlySet<string> = new Set()

/** The columns that a list is filtered by, each with a way to other values and one out. */
export function FilterChips(menu: FilterMenuProps<object>) {
  const { columns, view, choose } = menu
  const bar = useRef<HTMLDivElement>(null)
  const chips = [...filtersOf(view)].flatMap(([id, values]) => {
    const column = columns.find((each) => each.id === id)
    if (!column) return []
    const named = [...values].map((value) => valueLabel(column, value)).join(', ')
    return [{ id, label: text.filterLabel(columnMenuLabel(column), named) }]
  })
  const remove = (index: number, id: string) => {
    choose(withFilter(view, id, NONE))
    // The button goes; that of the next or the one before takes the focus, or else what stands before all of them.
    const others = bar.current?.querySelectorAll<HTMLButtonElement>('[data-remove]') ?? []
    const next = others[index + 1] ?? others[index - 1]
    ;(next ?? filterField())?.focus()
  }
  return (
    <div
      ref={bar}
      role="group"
      aria-label={text.filtersLabel}
      className="mb-4 flex flex-wrap items-center gap-2"
    >
      {chips.map(({ id, label }, index) => (
        <span
          key={id}
          className="inline-flex max-w-full items-center rounded-sm border border-accent-border bg-accent-bg text-xs text-accent-text"
        >
          <MenuButton
            label={text.changeFilterLabel(label)}
            trigger={
              <span className="truncate" title={label}>
                {label}
              </span>
            }
            items={{ ...menu, column: id }}
            Panel={FilterPanel}
            placement="bottom start"
            className="inline-flex h-7 min-w-0 items-center rounded-sm px-2 hover:bg-hover max-md:h-11"
          />
          <button
            type="button"
            data-remove
            aria-label={text.removeFilterLabel(label)}
            onClick={() => remove(index, id)}
            className="inline-flex size-7 shrink-0 items-center justify-center rounded-sm hover:bg-hover max-md:size-11"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      ))}
    </div>
  )
}
