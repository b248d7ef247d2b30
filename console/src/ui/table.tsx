import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react'
import type { CSSProperties, FocusEvent, MouseEvent, PointerEvent } from 'react'

import { isScrollKept } from '~/lib/scroll-pane'
import * as common from '~/messages/common'
import { CellTooltip } from '~/ui/cell-tooltip'
import { cn } from '~/ui/class-names'
import { CardContext, DelegatedTipsContext } from '~/ui/delegated-tips'
import { MenuPanel } from '~/ui/menu'
import { cardRoles, CardsHeader } from '~/ui/table-cards'
import { baseWidths, haveRoom, importantFirst, type Column } from '~/ui/table-column'
import { onHeaderKey, onTableKey, rowAt, useOneTabStop } from '~/ui/table-focus'
import { TableHeader } from '~/ui/table-header'
import type { TableSorting } from '~/ui/table-header'
import {
  ACTIONS_WIDTH,
  BORDERS,
  columnWidths,
  paneRoom,
  SELECTION_WIDTH,
  useElementWidth,
  useIsPhone,
  useScrollEdges,
} from '~/ui/table-layout'
import { useRowMenu, type RowMenuProps } from '~/ui/table-menu'
import { TableRow } from '~/ui/table-row'
import {
  pressedAll,
  SelectionControl,
  useRowSelection,
  type TableSelection,
} from '~/ui/table-selection'

/** Properties of {@link Table}. */
export interface TableProps<R> extends RowMenuProps<R> {
  /** The same array as long as the columns are the same: another one renders all rows again. */
  columns: readonly Column<R>[]
  /** A row that is the same object as before is not rendered again. */
  rows: readonly R[]
  /** Identity of a row across pages and polls, so that focus and open menus stay with it. */
  rowKey: (row: R) => string
  /** Accessible name of the table. */
  label: string
  rowHeight?: 'small' | 'large'
  /** Rows are lower than usual. */
  isCompact?: boolean
  /** Nothing is known yet: rows in the shape of the content stand in. */
  isLoading?: boolean
  skeletonRows?: number
  /** The rows are of the page before, while the next one loads. */
  isStale?: boolean
  /** Shown instead of the table when there are no rows. Leave it out on a later page, where the header stays. */
  emptyMessage?: ReactNode
  selection?: TableSelection
  /** How the rows are sorted, and what sorts them. */
  sorting?: TableSorting
}

/**
 * Table of a list or a card: native markup, header and name column that stay in view, a row menu, rows that the
 * keyboard walks through, and column widths that depend on nothing but the columns and the room. On phones its rows are cards.
 */
export function Table<R extends object>(props: TableProps<R>) {
  const { rows, isLoading = false, emptyMessage } = props
  if (rows.length === 0 && !isLoading && emptyMessage) {
    return (
      <div className="flex justify-center rounded-md border border-line px-4 py-12">
        {emptyMessage}
      </div>
    )
  }
  return <FilledTable {...props} />
}

function FilledTable<R extends object>(props: TableProps<R>) {
  const frame = useRef<HTMLDivElement>(null)
  const isPhone = useIsPhone()
  // The order of the columns depends on the width, so no row is rendered before it is known. Nothing is painted in between.
  const width = useElementWidth(frame, () => paneRoom(isPhone ? 0 : BORDERS))
  return (
    <div ref={frame} className={cn('relative', !isPhone && 'rounded-md border border-line')}>
      {width !== undefined && <MeasuredTable {...props} frameWidth={width} isCards={isPhone} />}
    </div>
  )
}

interface MeasuredProps<R> extends TableProps<R> {
  frameWidth: number
  /** The rows are cards: whatever is important is first, below the name. */
  isCards: boolean
}

function MeasuredTable<R extends object>(props: MeasuredProps<R>) {
  const { label, frameWidth, isCards, isStale, isLoading = false, selection, rowActions } = props
  const scroller = useRef<HTMLDivElement>(null)
  const startWidth = selection ? SELECTION_WIDTH : 0
  const endWidth = rowActions ? ACTIONS_WIDTH : 0
  const room = frameWidth - startWidth - endWidth
  const isInOrder = haveRoom(props.columns, isCards ? undefined : room)
  // The same array whatever the width is, or all rows would be rendered again.
  const columns = useMemo(
    () => (isInOrder ? props.columns : importantFirst(props.columns)),
    [props.columns, isInOrder],
  )
  const widths = columnWidths(baseWidths(columns, frameWidth), room)
  const total = widths.reduce((sum, width) => sum + width, startWidth + endWidth)
  // Only a table too wide for its frame scrolls inside itself; any other keeps its header at the top of the pane.
  const isScrolling = !isCards && frameWidth > 0 && total > frameWidth
  const Header = isCards ? CardsHeader : TableHeader
  const edges = useScrollEdges(scroller, isScrolling)
  const nameWidth = columns[0]?.isName ? (widths[0] ?? 0) : 0
  const rowWithId = (id: string) => props.rows.find((row) => props.rowKey(row) === id)
  const rowMenu = useRowMenu(props, rowWithId)
  const style: CSSProperties & Record<`--${string}`, string> = {
    minWidth: isCards ? undefined : total,
    '--row-height': rowHeightOf(props),
    '--cell-start-width': `${startWidth}px`,
  }
  return (
    <>
      <div
        ref={scroller}
        // Rows take the focus and scroll the table with it; without any, the keyboard needs the frame itself.
        {...(isScrolling && props.rows.length === 0
          ? { tabIndex: 0, role: 'group', 'aria-label': label }
          : {})}
        className={cn(
          'rounded-md',
          isScrolling && 'max-h-[calc(100dvh-12rem)] overflow-auto overscroll-x-contain',
        )}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handler of its header's controls */}
        <table
          role={isCards ? cardRoles.table : undefined}
          onKeyDown={onHeaderKey}
          aria-label={label}
          aria-busy={isLoading || isStale || undefined}
          data-scrolling={isScrolling || undefined}
          className={cn(
            'data-table text-sm text-fg-muted',
            isCards ? 'data-cards' : 'w-full table-fixed border-separate border-spacing-0',
            isStale && 'opacity-60',
          )}
          style={style}
        >
          {!isCards && (
            <colgroup>
              {selection && <col style={{ width: SELECTION_WIDTH }} />}
              {columns.map((column, index) => (
                <col key={column.id} style={{ width: widths[index] }} />
              ))}
              {rowActions && <col style={{ width: ACTIONS_WIDTH }} />}
            </colgroup>
          )}
          <Header
            columns={columns}
            sorting={props.sorting}
            selection={
              selection && <SelectAll {...props} selection={selection} isLabelShown={isCards} />
            }
            hasMenu={rowActions !== undefined}
          />
          <CardContext value={isCards}>
            <TableBody {...props} columns={columns} openMenu={rowMenu.open} isCards={isCards} />
          </CardContext>
        </table>
      </div>
      {rowMenu.menu}
      {isScrolling && nameWidth > 0 && (
        <EdgeShadow side="start" offset={startWidth + nameWidth} isShown={edges.start} />
      )}
      {isScrolling && <EdgeShadow side="end" offset={endWidth} isShown={edges.end} />}
    </>
  )
}

/** Height of the rows, of which all cells take it: another one renders no row. */
const rowHeightOf = ({
  rowHeight,
  isCompact,
}: Pick<TableProps<never>, 'rowHeight' | 'isCompact'>) =>
  `var(--table-row-height${rowHeight === 'large' ? '-large' : ''}${isCompact ? '-compact' : ''})`

interface TableBodyProps<R> extends TableProps<R> {
  openMenu: (button: HTMLButtonElement, id: string, start: 'first' | 'last' | null) => void
  isCards: boolean
}

function TableBody<R extends object>(props: TableBodyProps<R>) {
  const {
    columns,
    rows,
    rowKey,
    rowActions,
    selection,
    isLoading,
    skeletonRows = 8,
    isCards,
  } = props
  const shown = useRowsInPieces(rows)
  const body = useRef<HTMLTableSectionElement>(null)
  const moveTabStop = useOneTabStop(body)
  const { toggle, ...select } = useRowSelection(selection, rows.map(rowKey))
  const isMultiple = selection?.mode === 'multiple'
  const openMenu = (button: HTMLButtonElement, start: 'first' | 'last' | null) => {
    const id = button.closest('tr')?.dataset.row
    if (id !== undefined) props.openMenu(button, id, start)
  }

  const onClick = (event: MouseEvent<HTMLTableSectionElement>) => {
    const { target, currentTarget, detail } = event
    const id = rowAt(currentTarget, target)?.dataset.row
    if (id === undefined) return
    const button = menuButtonAt(target)
    // A press of a key counts no clicks.
    if (button) openMenu(button, detail === 0 ? 'first' : null)
    else if (isInControl(target)) return
    else if (selection?.mode === 'single') toggle(id)
    else if (isMultiple && event.shiftKey) select.extendTo(id)
  }
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLTableSectionElement>) => {
    const row = rowAt(currentTarget, target)
    if (row) moveTabStop(row)
    preloadMenuAt(target)
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers of its rows and their controls */}
      <tbody
        ref={body}
        role={isCards ? cardRoles.group : undefined}
        onClickCapture={({ shiftKey }) => select.extendsBy(shiftKey)}
        onClick={onClick}
        // Texts are not marked while rows are selected with Shift.
        onMouseDown={(event) => {
          if (isMultiple && event.shiftKey && !isInControl(event.target)) event.preventDefault()
        }}
        onFocus={onFocus}
        onKeyDown={(event) => onTableKey(event, openMenu, isMultiple ? select : undefined)}
        onPointerOver={({ target }: PointerEvent) => preloadMenuAt(target)}
      >
        <DelegatedTipsContext value={true}>
          {isLoading
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow key={index} {...props} index={index} />
              ))
            : shown.map((row) => {
                const id = rowKey(row)
                return (
                  <TableRow
                    key={id}
                    row={row}
                    id={id}
                    columns={columns}
                    selectionMode={selection?.mode}
                    isSelected={selection?.selected.has(id)}
                    onToggle={toggle}
                    hasMenu={rowActions !== undefined}
                    isCard={isCards}
                  />
                )
              })}
        </DelegatedTipsContext>
      </tbody>
      <CellTooltip within={body} />
    </>
  )
}

/** So many pixels of the window are filled by one row at least, with what stands above the rows. */
const LEAST_PER_ROW = 36

/**
 * The rows, at first those that fit into the window; the others follow in the background, once these can be seen. All of them are there at
 * once where the screen is to be scrolled.
 */
function useRowsInPieces<R>(rows: readonly R[]): readonly R[] {
  const [first] = useState(() =>
    isScrollKept() ? Infinity : Math.ceil(window.innerHeight / LEAST_PER_ROW),
  )
  const isComplete = useDeferredValue(true, rows.length <= first)
  return isComplete ? rows : rows.slice(0, first)
}

const menuButtonAt = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLButtonElement>('button[data-row-menu]') : null

const preloadMenuAt = (target: EventTarget) => {
  if (menuButtonAt(target)) MenuPanel.preload()
}

/** Whether a press is on a control of a row, not on the row itself. */
const isInControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input, label') !== null

/** The control that chooses all rows; none where only one can be chosen. */
function SelectAll<R>({
  rows,
  rowKey,
  selection,
  isLabelShown,
}: Pick<TableProps<R>, 'rows' | 'rowKey'> & {
  selection: TableSelection
  isLabelShown?: boolean
}) {
  if (selection.mode === 'single') return null
  const keys = rows.map(rowKey)
  const chosen = keys.filter((key) => selection.selected.has(key)).length
  return (
    <SelectionControl
      mode="multiple"
      label={common.selectAllLabel}
      isLabelShown={isLabelShown}
      isSelected={keys.length > 0 && chosen === keys.length}
      isIndeterminate={chosen > 0 && chosen < keys.length}
      onToggle={() => selection.onChange(pressedAll(selection, keys))}
    />
  )
}

function SkeletonRow<R>({
  columns,
  selection,
  rowActions,
  index,
}: TableProps<R> & { index: number }) {
  return (
    <tr aria-hidden="true">
      {selection && <td />}
      {columns.map((column, columnIndex) => (
        <td key={column.id}>
          {/* Uneven lengths look like text; the pattern repeats, so that nothing moves between two renderings. */}
          <div
            className={cn(
              'h-3 animate-pulse rounded-sm bg-pressed',
              column.align === 'end' && 'ml-auto',
            )}
            style={{ width: `${45 + ((index * 7 + columnIndex * 13) % 5) * 9}%` }}
          />
        </td>
      ))}
      {rowActions && <td />}
    </tr>
  )
}

/** Shadow that says that columns are hidden beyond a fixed one. */
function EdgeShadow({
  side,
  offset,
  isShown,
}: {
  side: 'start' | 'end'
  offset: number
  isShown: boolean
}) {
  return (
    <div
      aria-hidden="true"
      className={cn(
        'pointer-events-none absolute inset-y-0 z-4 w-3 from-fg/10 to-transparent transition-opacity',
        side === 'start'
          ? 'border-l border-line bg-linear-to-r'
          : 'border-r border-line bg-linear-to-l',
        !isShown && 'opacity-0',
      )}
      style={side === 'start' ? { left: offset } : { right: offset }}
    />
  )
}
