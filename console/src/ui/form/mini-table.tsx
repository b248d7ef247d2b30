import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/forms'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'

/** One column of a {@link MiniTable}. */
export interface MiniTableColumn<Item> {
  header: string
  cell: (item: Item, index: number) => ReactNode
}

/** Properties of {@link MiniTable}. */
export interface MiniTableProps<Item> {
  'aria-label': string
  columns: readonly MiniTableColumn<Item>[]
  items: readonly Item[]
  /** Identity of an item, unique in the table. */
  rowKey: (item: Item) => string
  onRemove: (item: Item, index: number) => void
  /** Name of an item's remove button; "Remove item {n}" unless given. */
  removeLabel?: (item: Item, index: number) => string
  /** Shown in place of rows; without it an empty table disappears. */
  emptyMessage?: ReactNode
}

/** Small table inside a form, of rows that a `SubForm` adds. */
export function MiniTable<Item>(props: MiniTableProps<Item>) {
  const { columns, items, rowKey, onRemove, emptyMessage } = props
  const removeLabel = props.removeLabel ?? ((_, index) => text.removeItemLabel(index + 1))
  if (items.length === 0 && !emptyMessage) return null
  return (
    <div className="max-w-lg overflow-x-auto rounded-md border border-line">
      <table
        aria-label={props['aria-label']}
        className="w-full border-separate border-spacing-0 text-sm"
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className="bg-chrome px-3 py-1.5 text-left text-label font-normal text-fg-subtle"
              >
                {column.header}
              </th>
            ))}
            <th scope="col" className="w-10 bg-chrome">
              <span className="sr-only">{common.removeLabel}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.length === 0 && (
            <tr>
              <td
                colSpan={columns.length + 1}
                className="border-t border-line px-3 py-4 text-center text-fg-subtle"
              >
                {emptyMessage}
              </td>
            </tr>
          )}
          {items.map((item, index) => (
            <tr
              key={rowKey(item)}
              tabIndex={0}
              aria-rowindex={index + 1}
              className="-outline-offset-2"
            >
              {columns.map((column, columnIndex) => (
                // The first column gives way, so that the button at the end stays in sight on a phone.
                <td
                  key={column.header}
                  className={cn(
                    CELL,
                    'whitespace-nowrap',
                    columnIndex === 0 && 'w-full max-w-0 overflow-hidden text-ellipsis',
                  )}
                >
                  {column.cell(item, index)}
                </td>
              ))}
              <td className={cn(CELL, 'px-1 text-center')}>
                <Button
                  needs={null}
                  variant="ghost"
                  size="icon"
                  aria-label={removeLabel(item, index)}
                  className="size-7"
                  onPress={() => onRemove(item, index)}
                >
                  <X aria-hidden="true" />
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const CELL = 'h-9 border-t border-line px-3'
