import type { Column } from '~/ui/table-column'

import { allValues, filterValues, valueLabel } from './filter-values'
import { naturalKey, rowsOf } from './list-rows'
import { filtersOf, NO_VALUE, withFilter } from './list-view'
import type { ListView } from './list-view'

/** Most values of a column that are offered. */
export const MAX_CHOICES = 100

/** A value of a column by which a list can be filtered. */
export interface FilterChoice {
  value: string
  label: string
  /** Rows that have it, of those that pass everything else that is asked for. */
  count?: number
}

/**
 * The values by which a list can be filtered in a column.
 *
 * @param rows among which the filter chooses; `undefined` if they are too many to know.
 * @returns also whether more rare values were left out.
 */
export function choicesOf<Row extends object>(
  column: Column<Row>,
  columns: readonly Column<Row>[],
  view: ListView,
  rows: readonly Row[] | undefined,
): { choices: FilterChoice[]; isCut: boolean } {
  const labelled = (value: string) => ({ value, label: valueLabel(column, value) })
  const own = allValues(column)
  if (!rows) return { choices: own.map(labelled), isCut: false }
  const { sort: _, ...others } = withFilter(view, column.id, new Set())
  const counts = countsOf(column, rows, rowsOf([...rows], columns, others))
  // What is chosen can be taken back although no row has it now.
  for (const value of filtersOf(view).get(column.id) ?? []) {
    if (!counts.has(value)) counts.set(value, 0)
  }
  const found = [...counts].map(([value, count]) => ({ ...labelled(value), count }))
  const frequent = found.toSorted((one, other) => other.count - one.count).slice(0, MAX_CHOICES)
  return { choices: inOrder(frequent, own), isCut: found.length > MAX_CHOICES }
}

/** How many rows have each value that any row has. */
function countsOf<Row extends object>(
  column: Column<Row>,
  all: readonly Row[],
  rows: readonly Row[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of all) for (const value of filterValues(column, row)) counts.set(value, 0)
  for (const row of rows) {
    for (const value of filterValues(column, row)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

/** In the order of the column's own values, or in natural order; rows without a value last. */
function inOrder(choices: FilterChoice[], own: readonly string[]): FilterChoice[] {
  const rank = ({ value }: FilterChoice) =>
    value === NO_VALUE ? Infinity : own.length > 0 ? own.indexOf(value) : 0
  return choices
    .map((choice) => ({ choice, rank: rank(choice), key: naturalKey(choice.value) }))
    .toSorted((one, other) => one.rank - other.rank || (one.key < other.key ? -1 : 1))
    .map(({ choice }) => choice)
}
