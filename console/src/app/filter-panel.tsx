import { useState } from 'react'

import * as text from '~/messages/list-filters'
import type { MenuEntry } from '~/ui/menu'
import { MenuPanel } from '~/ui/menu-panel'
import type { MenuPanelProps } from '~/ui/menu-panel'
import { tellMissing } from '~/ui/on-demand'
import type { Column } from '~/ui/table-column'

import { columnMenuLabel } from './column-menu-label'
import { choicesOf, MAX_CHOICES } from './filter-choices'
import type { FilterMenuProps } from './filter-menu'
import { filtersOf, withFilter, withLabel } from './list-view'
import { isServerFilter, useAllRows } from './use-all-rows'

interface FilterPanelProps extends Omit<MenuPanelProps, 'items' | 'step'> {
  /** What the menu is about. */
  items: FilterMenuProps<object>
}

/**
 * The open menu that filters a list: its columns, and then the values of one of them with how many rows have each. Nothing is shown
 * before the rows are known, so that the menu does not change under the person.
 */
export function FilterPanel({ items: menu, ...panel }: FilterPanelProps) {
  const { columns, page, view, labelled } = menu
  const { rows, isLoading } = useAllRows(page, view, labelled)
  const [id, choose] = useState<string>()
  if (isLoading) return null
  const offered = columns.filter(
    ({ id: each, filter }) => filter && (rows || isServerFilter(page.source, each)),
  )
  const column = offered.find((each) => each.id === (menu.column ?? id))
  const entries = column
    ? valueEntries(menu, column, rows)
    : columnEntries({ ...menu, columns: offered }, choose)
  if (column && !menu.column)
    entries.unshift(
      backEntry(() => choose(undefined)),
      separator,
    )
  return (
    <MenuPanel
      {...panel}
      // Whoever came with the keyboard goes on with it.
      focus={column && panel.focus ? 'first' : panel.focus}
      step={column?.id}
      items={entries}
    />
  )
}

const separator: MenuEntry = { separator: true }

/** Stands before the ids of columns: the menu has other entries with their names. */
const OF = 'of-'

const backEntry = (onAction: () => void): MenuEntry => ({
  id: 'back',
  label: text.backLabel,
  needs: null,
  keepsOpen: true,
  onAction,
})

function columnEntries(
  { columns, view, choose, labels }: FilterMenuProps<object>,
  open: (id: string) => void,
): MenuEntry[] {
  const entries = columns.map((column): MenuEntry => ({
    id: OF + column.id,
    label: columnMenuLabel(column),
    needs: null,
    keepsOpen: true,
    onAction: () => open(column.id),
  }))
  if (labels) {
    entries.push(separator, {
      id: 'label',
      label: text.byLabelLabel,
      needs: null,
      onAction: () =>
        void import('./label-filter').then(
          ({ askForLabel }) =>
            askForLabel(labels, view.label, (selector) => choose(withLabel(view, selector))),
          tellMissing,
        ),
    })
  }
  if (entries.length > 0) return entries
  return [{ id: 'nothing', label: text.nothingLabel, disabledReason: text.nothingError }]
}

function valueEntries(
  { columns, view, choose }: FilterMenuProps<object>,
  column: Column<object>,
  rows: readonly object[] | undefined,
): MenuEntry[] {
  const { id } = column
  const { choices, isCut } = choicesOf(column, columns, view, rows)
  const label = columnMenuLabel(column)
  return [
    {
      id,
      checks: isCut ? text.mostFrequentTitle(label, MAX_CHOICES) : label,
      options: choices.map(({ value, count, ...option }) => ({
        ...option,
        id: value,
        count: count?.toLocaleString(),
      })),
      checked: [...(filtersOf(view).get(id) ?? [])],
      onCheck: (values) => choose(withFilter(view, id, values)),
    },
  ]
}
