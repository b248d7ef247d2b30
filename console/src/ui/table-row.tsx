import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

import { cn } from '~/ui/class-names'
import { OverflowText } from '~/ui/overflow-text'
import type { Column } from '~/ui/table-column'

/** Everything a row needs beside its content. */
export interface TableRowProps<R> {
  row: R
  columns: readonly Column<R>[]
  height: 'small' | 'large'
  /** Cell before the columns, for selecting. */
  leading?: ReactNode
  leadingWidth: number
  /** Cell after the columns, for the row menu. */
  trailing?: ReactNode
  isTabStop: boolean
  isSelected?: boolean
  onFocusRow: () => void
  onPressRow?: () => void
}

const CELL =
  'h-(--row-height) overflow-hidden border-b border-line text-ellipsis whitespace-nowrap group-last/row:border-b-0 group-last/row:first:rounded-bl-md group-last/row:last:rounded-br-md ' +
  'bg-canvas group-hover/row:bg-hover group-data-selected/row:bg-selected ' +
  // The row's focus ring is drawn by its cells: an outline of the row would vanish under the fixed columns.
  'group-focus-visible/row:shadow-[inset_0_2px_0_var(--color-focus),inset_0_-2px_0_var(--color-focus)] ' +
  'group-focus-visible/row:first:shadow-[inset_0_2px_0_var(--color-focus),inset_0_-2px_0_var(--color-focus),inset_2px_0_0_var(--color-focus)] ' +
  'group-focus-visible/row:last:shadow-[inset_0_2px_0_var(--color-focus),inset_0_-2px_0_var(--color-focus),inset_-2px_0_0_var(--color-focus)]'

/** One row: a stop of the keyboard as a whole, with up, down, home and end between rows and enter to open it. */
export function TableRow<R>({
  row,
  columns,
  height,
  leading,
  leadingWidth,
  trailing,
  isTabStop,
  isSelected,
  onFocusRow,
  onPressRow,
}: TableRowProps<R>) {
  return (
    <tr
      // One stop of the tab key per table; the arrow keys move it.
      tabIndex={isTabStop ? 0 : -1}
      data-selected={isSelected || undefined}
      aria-selected={isSelected}
      onFocus={onFocusRow}
      onKeyDown={onRowKeyDown}
      onClick={onPressRow && ((event) => isPressOnRow(event) && onPressRow())}
      className={cn('group/row outline-none', onPressRow && 'cursor-pointer')}
      style={{
        ['--row-height' as string]: height === 'large' ? '56px' : 'var(--table-row-height)',
      }}
    >
      {leading && <td className={cn(CELL, 'sticky left-0 z-1')}>{leading}</td>}
      {columns.map((column) => (
        <td
          key={column.id}
          className={cn(
            CELL,
            'px-3',
            column.isName ? 'sticky z-1 font-medium text-fg' : 'relative',
            column.align === 'end' && 'text-right tabular',
          )}
          style={column.isName ? { left: leadingWidth } : undefined}
        >
          <CellContent content={column.cell(row)} />
        </td>
      ))}
      {trailing && <td className={cn(CELL, 'sticky right-0 z-1 text-center')}>{trailing}</td>}
    </tr>
  )
}

function CellContent({ content }: { content: ReactNode }) {
  if (typeof content === 'string') return <OverflowText text={content} />
  if (typeof content === 'number') return <span className="tabular">{content}</span>
  return content
}

/** Whether the press is on the row itself, not on a control in it or in a menu of one. */
function isPressOnRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): boolean {
  return (
    target instanceof Element &&
    currentTarget.contains(target) &&
    target.closest('a, button, input, label') === null
  )
}

function onRowKeyDown(event: KeyboardEvent<HTMLTableRowElement>): void {
  // Ignore keys that are pressed inside of a cell.
  if (event.target !== event.currentTarget) return
  const row = event.currentTarget
  const target = targetOfKey(row, event)
  if (!target) return
  event.preventDefault()
  if (target.element instanceof HTMLTableRowElement) target.element.focus()
  else target.element.click()
}

/** The target of a key pressed on a row: another row to focus, or a control in this row to press. */
function targetOfKey(
  row: HTMLTableRowElement,
  event: KeyboardEvent,
): { element: HTMLElement } | undefined {
  const rows = Array.from(
    row.parentElement?.querySelectorAll<HTMLTableRowElement>(':scope > tr') ?? [],
  )
  const at = rows.indexOf(row)
  const found = (element: HTMLElement | null | undefined) => (element ? { element } : undefined)
  const menuButton = () => found(row.querySelector<HTMLElement>('[data-row-menu] button'))
  switch (event.key) {
    case 'ArrowDown':
      return found(rows[at + 1])
    case 'ArrowUp':
      return found(rows[at - 1])
    case 'Home':
      return found(rows[0])
    case 'End':
      return found(rows.at(-1))
    case 'Enter':
      return found(row.querySelector<HTMLElement>('a[href], [data-row-open]'))
    case ' ':
      return found(row.querySelector<HTMLElement>('input[type=checkbox], input[type=radio]'))
    case 'ContextMenu':
      return menuButton()
    case 'F10':
      return event.shiftKey ? menuButton() : undefined
    default:
      return undefined
  }
}
