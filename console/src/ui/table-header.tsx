import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import { cn } from '~/ui/class-names'
import { isSortable } from '~/ui/table-column'
import type { Column } from '~/ui/table-column'
import { TipIcon } from '~/ui/tooltip'

/** How the rows of a table are sorted. */
export interface TableSorting {
  /** The column that sorts; none if the rows come as they are. */
  id?: string
  isDescending: boolean
  /** Is called when the header of a column is pressed. */
  onPress: (id: string) => void
}

interface TableHeaderProps<R> {
  columns: readonly Column<R>[]
  sorting?: TableSorting
  /** The cell above the selection column, where there is one. */
  selection?: ReactNode
  hasMenu: boolean
}

/** Neighbouring columns with the same group, or one column without any. */
interface Run<R> {
  group?: string
  columns: Column<R>[]
}

function runsOf<R>(columns: readonly Column<R>[]): Run<R>[] {
  const runs: Run<R>[] = []
  for (const column of columns) {
    const last = runs.at(-1)
    if (last && column.group !== undefined && last.group === column.group) last.columns.push(column)
    else runs.push({ group: column.group, columns: [column] })
  }
  return runs
}

/** The headers of the columns, below those of their groups. */
export function TableHeader<R>({ columns, sorting, selection, hasMenu }: TableHeaderProps<R>) {
  const runs = runsOf(columns)
  const hasGroups = runs.some(({ group }) => group !== undefined)
  const depth = hasGroups ? 1 : 0
  const headers = columns.map((column) => (
    <HeaderCell
      key={column.id}
      depth={depth}
      sort={sorting?.id === column.id ? sortWord(sorting) : undefined}
      className={cn(column.align === 'end' && 'text-right', column.isName && 'cell-name z-3')}
    >
      <HeaderContent column={column} sorting={sorting} />
    </HeaderCell>
  ))
  const start = selection !== undefined && (
    <HeaderCell rowSpan={depth + 1} className="cell-start z-3">
      {selection}
    </HeaderCell>
  )
  const end = hasMenu && (
    <HeaderCell rowSpan={depth + 1} className="cell-end z-3">
      <span className="sr-only">{common.actionsLabel}</span>
    </HeaderCell>
  )
  if (!hasGroups) {
    return (
      <thead>
        <tr>
          {start}
          {headers}
          {end}
        </tr>
      </thead>
    )
  }
  return (
    <thead>
      <tr>
        {start}
        {runs.map(({ group, columns: [first, ...others] }) => (
          <HeaderCell
            key={first?.id}
            colSpan={others.length + 1}
            className={cn(
              group === undefined ? 'border-b-transparent' : 'border-l',
              group === undefined && first?.isName && 'cell-name z-3',
            )}
          >
            {group ?? null}
          </HeaderCell>
        ))}
        {end}
      </tr>
      <tr>{headers}</tr>
    </thead>
  )
}

const sortWord = ({ isDescending }: TableSorting) => (isDescending ? 'descending' : 'ascending')

function HeaderContent<R>({ column, sorting }: { column: Column<R>; sorting?: TableSorting }) {
  const { header, tip, isHeaderHidden } = column
  if (isHeaderHidden) return <span className="sr-only">{header}</span>
  const label =
    sorting && isSortable(column) ? <SortButton column={column} sorting={sorting} /> : header
  if (!tip) return label
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {label}
      <TipIcon>{tip}</TipIcon>
    </span>
  )
}

function SortButton<R>({ column, sorting }: { column: Column<R>; sorting: TableSorting }) {
  return (
    <button
      type="button"
      // The table is one tab stop; the arrow keys lead here.
      tabIndex={-1}
      onClick={() => sorting.onPress(column.id)}
      className="inline-flex max-w-full min-w-0 cursor-pointer items-center gap-1 [text-transform:inherit] hover:text-fg"
    >
      <span className="truncate">{column.header}</span>
      {sorting.id === column.id && (
        <span aria-hidden="true">{sorting.isDescending ? '↓' : '↑'}</span>
      )}
    </button>
  )
}

interface HeaderCellProps {
  children: ReactNode
  className?: string
  colSpan?: number
  rowSpan?: number
  depth?: number
  sort?: 'ascending' | 'descending'
}

const HEADER_HEIGHT = 34

function HeaderCell({ children, className, colSpan, rowSpan, depth = 0, sort }: HeaderCellProps) {
  // A cell that names nothing only fills the space above a column without a group.
  const Cell = children === null ? 'td' : 'th'
  const scope = (colSpan ?? 1) > 1 ? 'colgroup' : 'col'
  return (
    <Cell
      scope={Cell === 'th' ? scope : undefined}
      aria-sort={sort}
      colSpan={colSpan}
      rowSpan={rowSpan}
      style={{ top: depth * HEADER_HEIGHT, height: HEADER_HEIGHT }}
      className={cn(
        'sticky z-2 overflow-hidden border-b border-line bg-chrome px-3 text-left text-label font-normal text-ellipsis whitespace-nowrap text-fg-subtle first:rounded-tl-md last:rounded-tr-md',
        className,
      )}
    >
      {children}
    </Cell>
  )
}
