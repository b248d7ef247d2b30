import { Settings2 } from 'lucide-react'

import * as labelText from '~/messages/labels'
import * as text from '~/messages/tables'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import type { MenuEntry } from '~/ui/menu'
import { columnLabel } from '~/ui/table-column'
import type { Column } from '~/ui/table-column'

import { optionalColumns, withColumns, withDensity } from './list-view'
import type { ListView } from './list-view'

interface ViewMenuProps<R> {
  columns: readonly Column<R>[]
  /** Those of the columns that are shown. */
  shown: readonly Column<R>[]
  view: ListView
  choose: (view: ListView) => void
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
        ...(onFilterByLabel
          ? [
              {
                id: 'labels',
                label: labelText.filterActionLabel,
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
