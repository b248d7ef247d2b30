import * as common from '~/messages/common'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

/** The names of a list's rows, each a link to the path of the row. */
export const nameColumn = <Row extends { name: string }>(
  path: (row: Row) => string,
): Column<Row> => ({
  id: 'name',
  header: common.nameColumnLabel,
  isName: true,
  value: ({ name }) => name,
  cell: (row) => <LinkCell href={path(row)}>{row.name}</LinkCell>,
})

export const descriptionColumn = (width = 320): Column<{ description: string }> => ({
  id: 'description',
  header: common.descriptionColumnLabel,
  width,
  value: ({ description }) => description,
  cell: ({ description }) => <DescriptionCell text={description} />,
})

export const createdColumn = (width = 180): Column<{ timeCreated: Date }> => ({
  id: 'created',
  filter: { by: 'age' },
  header: common.createdColumnLabel,
  width,
  value: ({ timeCreated }) => timeCreated,
  cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
})
