import type { ReactNode } from 'react'

import type { useListPage } from '~/api/list'
import { Pagination } from '~/ui/pagination'
import { Table } from '~/ui/table'
import type { TableProps } from '~/ui/table'

import { ContentActions } from './content-pane'

/** What {@link useListPage} gives, as far as a table shows it. */
type ListPage<Row> = Pick<
  ReturnType<typeof useListPage<never, Row>>,
  'items' | 'isLoading' | 'pagination'
>

interface ListTableBase<Row extends object> extends Pick<
  TableProps<Row>,
  'label' | 'columns' | 'rowActions' | 'aroundRowMenu' | 'copyIdLabel' | 'rowHeight'
> {
  page: ListPage<Row>
  /** What stands in place of a list without any rows. */
  empty: ReactNode
}

/** Rows are told apart by their ids; those that have none say by what else. */
type ListTableProps<Row extends object> = ListTableBase<Row> &
  (Row extends { id: string } ? { rowKey?: never } : Pick<TableProps<Row>, 'rowKey'>)

// Only rows with an id get here: the types ask all others for a key.
const idOf = (row: object): string => (row as { id: string }).id

/** The table of a paged list and the way to its other pages, which stands at the bottom of the pane. */
export function ListTable<Row extends object>({
  page,
  empty,
  rowKey = idOf,
  ...table
}: ListTableProps<Row>) {
  const { items, isLoading, pagination } = page
  const isEmpty = items.length === 0 && !pagination.hasPrevious
  return (
    <>
      <Table
        {...table}
        rows={items}
        rowKey={rowKey}
        isLoading={isLoading}
        isStale={pagination.loading}
        emptyMessage={isEmpty && empty}
      />
      {!isEmpty && (
        <ContentActions>
          <Pagination {...pagination} />
        </ContentActions>
      )}
    </>
  )
}
