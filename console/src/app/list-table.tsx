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

interface ListTableProps<Row extends { id: string }> extends Pick<
  TableProps<Row>,
  'label' | 'columns' | 'rowActions' | 'copyIdLabel' | 'rowHeight'
> {
  page: ListPage<Row>
  /** What stands in place of a list without any rows. */
  empty: ReactNode
}

/** The table of a paged list and the way to its other pages, which stands at the bottom of the pane. */
export function ListTable<Row extends { id: string }>({
  page,
  empty,
  ...table
}: ListTableProps<Row>) {
  const { items, isLoading, pagination } = page
  const isEmpty = items.length === 0 && !pagination.hasPrevious
  return (
    <>
      <Table
        {...table}
        rows={items}
        rowKey={({ id }) => id}
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
