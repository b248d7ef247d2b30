import { memo, type ReactNode } from 'react'

import * as rowText from '~/messages/table-row'
import * as messages from '~/messages/tables'
import { buttonClass } from '~/ui/button-class'
import { cn } from '~/ui/class-names'
import { OverflowText } from '~/ui/overflow-text'
import { CardPart, cardRoles } from '~/ui/table-cards'
import type { Column } from '~/ui/table-column'
import { SelectionControl, type TableSelection } from '~/ui/table-selection'

/** Everything that a row shows. A row renders again only when one of these is another. */
export interface TableRowProps<R> {
  row: R
  /** Its key, for the table's handlers. */
  id: string
  columns: readonly Column<R>[]
  /** How rows are chosen, where they can be. */
  selectionMode?: TableSelection['mode']
  isSelected?: boolean
  onToggle: (id: string) => void
  hasMenu: boolean
  /** The row is a card. */
  isCard?: boolean
}

const menuButtonClass = buttonClass({
  variant: 'ghost',
  size: 'icon',
  className: 'row-menu size-7',
})

/** One row. The table handles everything that happens in it, so that a row costs little more than its elements. */
function Row<R>({
  row,
  id,
  columns,
  selectionMode,
  isSelected,
  onToggle,
  hasMenu,
  isCard,
}: TableRowProps<R>) {
  const role = isCard ? cardRoles.cell : undefined
  return (
    <tr
      role={isCard ? cardRoles.row : undefined}
      // The table makes one row its stop of the tab key.
      tabIndex={-1}
      data-row={id}
      data-selected={isSelected || undefined}
      aria-selected={isSelected}
      className={selectionMode === 'single' ? 'cursor-pointer' : undefined}
    >
      {selectionMode && (
        <td role={role} className="cell-start">
          <SelectionControl
            mode={selectionMode}
            label={rowText.selectRowLabel((row as { name?: string }).name ?? id)}
            isSelected={isSelected ?? false}
            onToggle={() => onToggle(id)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          role={role}
          className={
            cn(column.isName && 'cell-name', column.align === 'end' && 'text-right tabular') ||
            undefined
          }
        >
          {isCard ? (
            <CardPart column={column} isHeading={index === 0}>
              {shownContent(column.cell(row))}
            </CardPart>
          ) : (
            shownContent(column.cell(row))
          )}
        </td>
      ))}
      {hasMenu && (
        <td role={role} className="cell-end">
          <button
            type="button"
            data-row-menu
            tabIndex={-1}
            aria-label={messages.rowActionsLabel}
            aria-haspopup="menu"
            // While its menu is open, the menu says so.
            aria-expanded={false}
            className={menuButtonClass}
          />
        </td>
      )}
    </tr>
  )
}

/** {@link Row}, rendered when it changes. */
export const TableRow = memo(Row) as typeof Row

// Not a component: each would be one more for every cell.
function shownContent(content: ReactNode): ReactNode {
  if (typeof content === 'string') return <OverflowText text={content} />
  if (typeof content === 'number') return <span className="tabular">{content}</span>
  return content
}
