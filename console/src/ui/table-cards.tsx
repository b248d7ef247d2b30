import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import { columnLabel } from '~/ui/table-column'
import type { Column } from '~/ui/table-column'

/** What the elements of a table are: browsers may forget it of those that are laid out otherwise. */
export const cardRoles = {
  table: 'table',
  group: 'rowgroup',
  row: 'row',
  head: 'columnheader',
  cell: 'cell',
}

interface CardsHeaderProps<R> {
  columns: readonly Column<R>[]
  /** The control that selects all rows, where there is one. */
  selection?: ReactNode
  hasMenu: boolean
}

/** The header of a table whose rows are cards: for screen readers only, except the control that selects all. */
export function CardsHeader<R>({ columns, selection, hasMenu }: CardsHeaderProps<R>) {
  return (
    <thead role={cardRoles.group}>
      <tr role={cardRoles.row}>
        {selection && (
          <th role={cardRoles.head} scope="col" className="cell-start">
            {selection}
          </th>
        )}
        {columns.map((column) => (
          <th key={column.id} role={cardRoles.head} scope="col" className="sr-only">
            {columnLabel(column)}
          </th>
        ))}
        {hasMenu && (
          <th role={cardRoles.head} scope="col" className="sr-only">
            {common.actionsLabel}
          </th>
        )}
      </tr>
    </thead>
  )
}

interface CardPartProps<R> {
  column: Column<R>
  isHeading: boolean
  children: ReactNode
}

/** What a card shows of a column: the heading, or the value beside what the column is called. */
export function CardPart<R>({ column, isHeading, children }: CardPartProps<R>) {
  return (
    <>
      {!isHeading && !column.isHeaderHidden && (
        // The header of the column says the same to screen readers.
        <span aria-hidden="true" className="card-label text-label text-fg-subtle">
          {columnLabel(column)}
        </span>
      )}
      <div className="card-value">{children}</div>
    </>
  )
}
