import type { Column } from '~/ui/table-column'

import { idsOf, isFixed, viewOf } from './list-view'
import type { ListView, ViewParameters } from './list-view'

type Columns<R> = readonly Column<R>[]

/** The columns of a list that can be hidden. */
export const optionalColumns = <R>(columns: Columns<R>): Column<R>[] =>
  columns.filter((column, index) => !isFixed(column, index))

/** The view in which these of the optional columns are shown. */
export function withColumns<R>(
  view: ListView,
  columns: Columns<R>,
  ids: ReadonlySet<string>,
): ListView {
  const shown = columns.filter((column, index) => isFixed(column, index) || ids.has(column.id))
  return viewOf({ ...view, columns: idsOf(shown) }, columns)
}

/** The view with lower rows, or with rows as usual. */
export const withDensity = ({ density: _, ...view }: ListView, isCompact: boolean): ListView => ({
  ...view,
  ...(isCompact && { density: 'compact' }),
})

/** All of a view, what is as usual included, so that it is the same in another window and for another person. */
export const wholeView = <R>(view: ListView, shown: Columns<R>): ViewParameters => ({
  columns: idsOf(shown),
  density: view.density ?? 'comfortable',
  sort: view.sort ?? '',
  ...(view.q !== undefined && { q: view.q }),
  ...(view.filter !== undefined && { filter: view.filter }),
  ...(view.label !== undefined && { label: view.label }),
  ...(view.group !== undefined && { group: view.group }),
})

/** Whether two views of a list show the same. */
export const isSameView = <R>(one: ListView, other: ListView, columns: Columns<R>): boolean =>
  comparable(one, columns) === comparable(other, columns)

/** A text that views have in common which show the same. Filters and their values are written in the order in which they were chosen. */
function comparable<R>(view: ListView, columns: Columns<R>): string {
  const { saved: _, filter = '', ...rest } = viewOf(view, columns)
  const parameters = Object.entries({ ...rest, filter: filter.split(';').toSorted().join(';') })
  return JSON.stringify(parameters.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
