import { tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table'
import { Copy, Ellipsis } from 'lucide-react'
import { useMemo, useRef, useState, type ReactNode } from 'react'

import { copyText } from '~/lib/clipboard'
import * as common from '~/messages/common'
import * as messages from '~/messages/tables'
import { buttonClass } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { MenuButton, type MenuEntry } from '~/ui/menu'
import { baseWidths, columnsInOrder, type Column } from '~/ui/table-column'
import {
  ACTIONS_WIDTH,
  columnWidths,
  SELECTION_WIDTH,
  useElementWidth,
  useScrollEdges,
} from '~/ui/table-layout'
import { TableRow } from '~/ui/table-row'
import { pressedAll, pressedRow, SelectionControl, type TableSelection } from '~/ui/table-selection'

/** Properties of {@link Table}. */
export interface TableProps<R> {
  columns: readonly Column<R>[]
  rows: readonly R[]
  /** Identity of a row across pages and polls, so that focus and open menus stay with it. */
  rowKey: (row: R) => string
  /** Accessible name of the table. */
  label: string
  /** Entries of the row menu; "Copy ID" comes first by itself when the row has an id. */
  rowActions?: (row: R) => MenuEntry[]
  /** Wraps the open row menu, for data that is only fetched when the menu opens. */
  aroundRowMenu?: (row: R, menu: ReactNode) => ReactNode
  /** Text of the automatic first entry, for example "Copy silo ID". */
  copyIdLabel?: string
  rowHeight?: 'small' | 'large'
  /** Nothing is known yet: rows in the shape of the content stand in. */
  isLoading?: boolean
  skeletonRows?: number
  /** The rows are of the page before, while the next one loads. */
  isStale?: boolean
  /** Shown instead of the table when there are no rows. Leave it out on a later page, where the header stays. */
  emptyMessage?: ReactNode
  selection?: TableSelection
}

// Choosing rows is a set of keys that the screen holds; the model's own feature for it weighs more than all of this.
const features = tableFeatures({})

type Def<R extends object> = ColumnDef<typeof features, R, unknown>

/**
 * Table of a list or a card: native markup, header and name column that stay in view, a row menu, rows that the
 * keyboard walks through, and column widths that depend on nothing but the columns and the room.
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
  const { label, isStale, isLoading = false, selection, rowActions } = props
  const frame = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const fixed = (selection ? SELECTION_WIDTH : 0) + (rowActions ? ACTIONS_WIDTH : 0)
  const frameWidth = useElementWidth(frame)
  const columns = useMemo(
    () => columnsInOrder(props.columns, frameWidth - fixed),
    [props.columns, frameWidth, fixed],
  )
  const widths = columnWidths(baseWidths(columns, frameWidth), frameWidth - fixed)
  const total = widths.reduce((sum, width) => sum + width, fixed)
  // Only a table too wide for its frame scrolls inside itself; any other keeps its header at the top of the pane.
  const isScrolling = frameWidth > 0 && total > frameWidth
  const edges = useScrollEdges(scroller, isScrolling)
  const leadingWidth = selection ? SELECTION_WIDTH : 0
  const nameWidth = columns[0]?.isName ? (widths[0] ?? 0) : 0
  return (
    <div ref={frame} className="relative rounded-md border border-line">
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
        <table
          aria-label={label}
          aria-busy={isLoading || isStale || undefined}
          className={cn(
            'w-full table-fixed border-separate border-spacing-0 text-sm text-fg-muted',
            isStale && 'opacity-60',
          )}
          style={{ minWidth: total }}
        >
          <colgroup>
            {selection && <col style={{ width: SELECTION_WIDTH }} />}
            {columns.map((column, index) => (
              <col key={column.id} style={{ width: widths[index] }} />
            ))}
            {rowActions && <col style={{ width: ACTIONS_WIDTH }} />}
          </colgroup>
          <TableContent {...props} columns={columns} leadingWidth={leadingWidth} />
        </table>
      </div>
      {isScrolling && nameWidth > 0 && (
        <EdgeShadow side="start" offset={leadingWidth + nameWidth} isShown={edges.start} />
      )}
      {isScrolling && (
        <EdgeShadow side="end" offset={rowActions ? ACTIONS_WIDTH : 0} isShown={edges.end} />
      )}
    </div>
  )
}

interface TableContentProps<R> extends TableProps<R> {
  leadingWidth: number
}

function TableContent<R extends object>(props: TableContentProps<R>) {
  const { columns, rows, rowKey, rowActions, selection, isLoading, skeletonRows = 8 } = props
  const [tabStop, setTabStop] = useState<string>()
  const table = useTable<typeof features, R>({
    features,
    columns: useMemo(() => columnDefs(columns), [columns]),
    data: rows,
    getRowId: rowKey,
  })
  const models = table.getRowModel().rows
  const tabStopId = models.some((model) => model.id === tabStop) ? tabStop : models[0]?.id
  const headers = table.getHeaderGroups()
  const keys = models.map(({ id }) => id)
  const chosen = keys.filter((key) => selection?.selected.has(key)).length
  return (
    <>
      <thead>
        {headers.map((group, depth) => (
          <tr key={group.id}>
            {selection && depth === 0 && (
              <HeaderCell rowSpan={headers.length} className="left-0 z-3">
                {selection.mode === 'multiple' && (
                  <SelectionControl
                    mode="multiple"
                    label={common.selectAllLabel}
                    isSelected={keys.length > 0 && chosen === keys.length}
                    isIndeterminate={chosen > 0 && chosen < keys.length}
                    onToggle={() => selection.onChange(pressedAll(selection, keys))}
                  />
                )}
              </HeaderCell>
            )}
            {group.headers.map((header) => (
              <ColumnHeader
                key={header.id}
                column={columns.find((column) => column.id === header.column.id)}
                title={header.isPlaceholder ? null : (header.column.columnDef.header as ReactNode)}
                span={header.colSpan}
                depth={depth}
                leadingWidth={props.leadingWidth}
              />
            ))}
            {rowActions && depth === 0 && (
              <HeaderCell rowSpan={headers.length} className="right-0 z-3">
                <span className="sr-only">{common.actionsLabel}</span>
              </HeaderCell>
            )}
          </tr>
        ))}
      </thead>
      <tbody>
        {isLoading
          ? Array.from({ length: skeletonRows }, (_, index) => (
              <SkeletonRow key={index} {...props} index={index} />
            ))
          : models.map((model) => (
              <TableRow
                key={model.id}
                row={model.original}
                columns={columns}
                height={props.rowHeight ?? 'small'}
                leadingWidth={props.leadingWidth}
                leading={
                  selection && (
                    <SelectionControl
                      mode={selection.mode}
                      label={messages.selectRowLabel(model.id)}
                      isSelected={selection.selected.has(model.id)}
                      onToggle={() => selection.onChange(pressedRow(selection, model.id))}
                    />
                  )
                }
                trailing={
                  rowActions && (
                    <RowMenu
                      row={model.original}
                      actions={rowActions}
                      around={props.aroundRowMenu}
                      copyIdLabel={props.copyIdLabel}
                    />
                  )
                }
                isTabStop={model.id === tabStopId}
                isSelected={selection?.selected.has(model.id)}
                onFocusRow={() => setTabStop(model.id)}
                onPressRow={
                  selection?.mode === 'single'
                    ? () => selection.onChange(pressedRow(selection, model.id))
                    : undefined
                }
              />
            ))}
      </tbody>
    </>
  )
}

/** Column definitions of the table model: neighbours of one group become its children. */
function columnDefs<R extends object>(columns: readonly Column<R>[]): Def<R>[] {
  const defs: Def<R>[] = []
  let group: { name: string; members: Def<R>[] } | undefined
  for (const column of columns) {
    const def: Def<R> = { id: column.id, header: column.header as string, accessorFn: (row) => row }
    if (column.group === undefined) {
      group = undefined
      defs.push(def)
    } else if (group?.name === column.group) {
      group.members.push(def)
    } else {
      group = { name: column.group, members: [def] }
      defs.push({ id: `group-${column.id}`, header: column.group, columns: group.members })
    }
  }
  return defs
}

interface ColumnHeaderProps<R> {
  /** Missing for the header of a group. */
  column: Column<R> | undefined
  title: ReactNode
  span: number
  depth: number
  leadingWidth: number
}

function ColumnHeader<R>({ column, title, span, depth, leadingWidth }: ColumnHeaderProps<R>) {
  return (
    <HeaderCell
      colSpan={span}
      depth={depth}
      left={column?.isName ? leadingWidth : undefined}
      className={cn(
        'px-3',
        column?.align === 'end' ? 'text-right' : 'text-left',
        column?.isName ? 'z-3' : 'z-2',
        !column && title !== null && 'border-l',
        title === null && 'border-b-transparent',
      )}
    >
      {title}
    </HeaderCell>
  )
}

interface HeaderCellProps {
  children: ReactNode
  className?: string
  colSpan?: number
  rowSpan?: number
  depth?: number
  left?: number
}

const HEADER_HEIGHT = 34

function HeaderCell({ children, className, colSpan, rowSpan, depth = 0, left }: HeaderCellProps) {
  // A cell that names nothing only fills the space above a column without a group.
  const Cell = children === null ? 'td' : 'th'
  const scope = (colSpan ?? 1) > 1 ? 'colgroup' : 'col'
  return (
    <Cell
      scope={Cell === 'th' ? scope : undefined}
      colSpan={colSpan}
      rowSpan={rowSpan}
      style={{ top: depth * HEADER_HEIGHT, left, height: HEADER_HEIGHT }}
      className={cn(
        'sticky z-2 overflow-hidden border-b border-line bg-chrome px-3 text-left text-label font-normal text-ellipsis whitespace-nowrap text-fg-subtle first:rounded-tl-md last:rounded-tr-md',
        className,
      )}
    >
      {children}
    </Cell>
  )
}

function SkeletonRow<R>({
  columns,
  selection,
  rowActions,
  index,
}: TableContentProps<R> & { index: number }) {
  const cell = 'h-(--table-row-height) border-b border-line px-3 group-last/row:border-b-0'
  return (
    <tr aria-hidden="true" className="group/row">
      {selection && <td className={cell} />}
      {columns.map((column, columnIndex) => (
        <td key={column.id} className={cell}>
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
      {rowActions && <td className={cell} />}
    </tr>
  )
}

function RowMenu<R extends object>({
  row,
  actions,
  around,
  copyIdLabel = messages.copyIdLabel,
}: {
  row: R
  actions: (row: R) => MenuEntry[]
  around?: (row: R, menu: ReactNode) => ReactNode
  copyIdLabel?: string
}) {
  const id = 'id' in row && typeof row.id === 'string' ? row.id : undefined
  const copy: MenuEntry[] =
    id === undefined
      ? []
      : [
          {
            id: 'copy-id',
            label: copyIdLabel,
            icon: Copy,
            needs: null,
            onAction: () => void copyText(id),
          },
        ]
  return (
    <div data-row-menu>
      <MenuButton
        label={messages.rowActionsLabel}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: 'size-7' })}
        trigger={<Ellipsis aria-hidden="true" className="size-4" />}
        items={[...copy, ...actions(row)]}
        around={around && ((panel) => around(row, panel))}
      />
    </div>
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
