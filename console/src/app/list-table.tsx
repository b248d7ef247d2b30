import type { ReactNode } from 'react'

import type { useListPage } from '~/api/list'
import { Pagination } from '~/ui/pagination'
import { Table } from '~/ui/table'
import type { TableProps } from '~/ui/table'

import { ContentActions } from './content-pane'

type PagedList<Row> = ReturnType<typeof useListPage<never, Row>>

/** What {@link useListPage} gives, as far as a table shows it. A list that is shown as a whole has no pagination. */
export type ListPage<Row> = Pick<PagedList<Row>, 'items' | 'isLoading'> &
  Partial<Pick<PagedList<Row>, 'pagination'>>

interface ListTableBase<Row extends object> extends Pick<
  TableProps<Row>,
  'label' | 'columns' | 'rowActions' | 'aroundRowMenu' | 'copyIdLabel' | 'rowHeight'
> {
  page: ListPage<Row>
  /** Shown instead of a list without rows. */
  empty: ReactNode
}

/** Rows are identified by their ids. Rows without one need `rowKey`. */
type ListTableProps<Row extends object> = ListTableBase<Row> &
  (Row extends { id: string } ? { rowKey?: never } : Pick<TableProps<Row>, 'rowKey'>)

// The types require `rowKey` for rows without an id.
const idOf = (row: object): string => (row as { id: string }).id

/** The table of a paged list, with its pagination at the bottom of the pane. */
export const ListTable = <Row extends object>(props: ListTableProps<Row>) => (
  <KeyedListTable {...props} rowKey={props.rowKey ?? idOf} />
)

/** {@link ListTable} with a `rowKey`. */
export function KeyedListTable<Row extends object>({
  page,
  empty,
  ...table
}: ListTableBase<Row> & Pick<TableProps<Row>, 'rowKey'>) {
  const { items, isLoading, pagination } = page
  const isEmpty = items.length === 0 && !pagination?.hasPrevious
  return (
    <>
      <Table
        {...table}
        rows={items}
        isLoading={isLoading}
        isStale={pagination?.loading}
        emptyMessage={isEmpty && empty}
      />
      {!isEmpty && pagination && (
        <ContentActions>
          <Pagination {...pagination} />
        </ContentActions>
      )}
    </>
  )
}
