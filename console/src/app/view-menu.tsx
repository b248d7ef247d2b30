import { Settings2 } from 'lucide-react'

import * as labels from '~/messages/labels'
import * as lists from '~/messages/lists'
import * as text from '~/messages/tables'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import type { MenuEntry } from '~/ui/menu'
import { columnLabel, isSortable } from '~/ui/table-column'
import type { Column } from '~/ui/table-column'

import { optionalColumns, sortOf, withColumns, withDensity, withSort } from './list-view'
import type { ListView } from './list-view'

/** The choice of no column that sorts. */
const AS_LISTED = 'as-listed'

/** Stands before the ids of columns that sort, because the menu has those that are shown, too. */
const BY = 'by-'

interface ViewMenuProps<R> {
  columns: readonly Column<R>[]
  /** Those of the columns that are shown. */
  shown: readonly Column<R>[]
  view: ListView
  choose: (view: ListView) => void
  /** The rows are in an order of their own. */
  isRanked?: boolean
  /** Saves what is shown as a file. */
  onDownload: () => void
  /** Asks for a label that rows have to have. */
  onFilterByLabel?: () => void
  size?: 'sm'
}

/** The menu in the tool bar of a list: what of it is shown, and how. */
export function ViewMenu<R>({
  columns,
  shown,
  view,
  choose,
  isRanked,
  onDownload,
  onFilterByLabel,
  size,
}: ViewMenuProps<R>) {
  const optional = optionalColumns(columns)
  const density: MenuEntry = {
    id: 'density',
    choice: text.densityLabel,
    options: [
      { id: 'comfortable', label: text.comfortableLabel },
      { id: 'compact', label: text.compactLabel },
    ],
    selected: view.density ?? 'comfortable',
    onSelect: (id) => choose(withDensity(view, id === 'compact')),
  }
  const checks: MenuEntry = {
    id: 'columns',
    checks: text.columnsLabel,
    options: optional.map((column) => ({ id: column.id, label: columnLabel(column) })),
    checked: shown.map(({ id }) => id),
    onCheck: (ids) => choose(withColumns(view, columns, ids)),
  }
  const sort = sortOf(view)
  const sorting: MenuEntry[] = [
    {
      id: 'sort',
      choice: lists.sortByLabel,
      options: [
        { id: AS_LISTED, label: lists.unsortedLabel },
        ...columns
          .filter(isSortable)
          .map((column) => ({ id: BY + column.id, label: columnLabel(column) })),
      ],
      selected: sort.id ? BY + sort.id : AS_LISTED,
      onSelect: (id) =>
        choose(
          withSort(view, id === AS_LISTED ? undefined : id.slice(BY.length), sort.isDescending),
        ),
    },
    ...(sort.id
      ? [
          {
            id: 'order',
            choice: lists.orderLabel,
            options: [
              { id: 'ascending', label: lists.ascendingLabel },
              { id: 'descending', label: lists.descendingLabel },
            ],
            selected: sort.isDescending ? 'descending' : 'ascending',
            onSelect: (id: string) => choose(withSort(view, sort.id, id === 'descending')),
          },
        ]
      : []),
  ]
  return (
    <MenuButton
      label={text.viewLabel}
      trigger={
        <>
          <Settings2 aria-hidden="true" />
          {text.viewLabel}
        </>
      }
      items={[
        density,
        { separator: true },
        ...(optional.length > 0 ? [checks, { separator: true } as const] : []),
        ...(isRanked ? [] : [...sorting, { separator: true } as const]),
        ...(onFilterByLabel
          ? [
              {
                id: 'by-label',
                label: labels.filterActionLabel,
                needs: null,
                onAction: onFilterByLabel,
              },
            ]
          : []),
        {
          id: 'csv',
          label: text.downloadCsvLabel,
          needs: null,
          onAction: onDownload,
        },
      ]}
      className={buttonClass({ variant: 'secondary', size, className: 'max-md:h-11' })}
    />
  )
}
