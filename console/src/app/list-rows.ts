import { columnText, valueOf } from '~/ui/table-column'
import type { Column, ColumnValue } from '~/ui/table-column'

import { filterValues } from './filter-values'
import { filtersOf, sortOf } from './list-view'
import type { ListView } from './list-view'

/** Most digits of a number that are compared as one, as on the server. */
const DIGITS = 64

/**
 * A text whose order is the natural order of names: `disk-2` before `disk-10`, whatever the case. As `natural_key` on the server.
 */
export function naturalKey(name: string): string {
  const lower = name.toLowerCase()
  const key = lower.replaceAll(new RegExp(`\\d{1,${DIGITS}}`, 'g'), (digits) => {
    const value = digits.replace(/^0+/, '')
    return `0${String.fromCharCode(48 + value.length)}${value}`
  })
  return lower === name && !/(?<!\d)0\d*/.test(lower) ? key : `${key}\u0001${name}`
}

/** The rows that pass the search and the filters of a view, in its order. */
export function rowsOf<Row extends object>(
  rows: Row[],
  columns: readonly Column<Row>[],
  view: ListView,
): Row[] {
  const words = (view.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const filters = columns.flatMap((column) => {
    const wanted = filtersOf(view).get(column.id)
    return wanted
      ? [(row: Row) => filterValues(column, row).some((value) => wanted.has(value))]
      : []
  })
  const kept = rows.filter(
    (row) =>
      filters.every((passes) => passes(row)) &&
      (words.length === 0 || hasWords(textOf(row, columns), words)),
  )
  return sorted(kept, columns, view)
}

const hasWords = (text: string, words: readonly string[]) =>
  words.every((word) => text.includes(word))

/** Everything that a search looks at, with a line for each field. */
function textOf<Row extends object>(row: Row, columns: readonly Column<Row>[]): string {
  const { id, name, description }: { id?: unknown; name?: unknown; description?: unknown } = row
  const fields = [id, name, description].filter((field) => typeof field === 'string')
  return [...fields, ...columns.map((column) => columnText(column, row))].join('\n').toLowerCase()
}

function sorted<Row extends object>(
  rows: Row[],
  columns: readonly Column<Row>[],
  view: ListView,
): Row[] {
  const { id, isDescending } = sortOf(view)
  const column = columns.find((each) => each.id === id)
  if (!column) return rows
  const direction = isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, key: keyOf(valueOf(column, row)) }))
    .toSorted((one, other) => compare(one.key, other.key, direction))
    .map(({ row }) => row)
}

type Key = string | number | undefined

function keyOf(value: ColumnValue): Key {
  if (value === null || value === undefined || value === '') return undefined
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'string') return naturalKey(value)
  return typeof value === 'object' ? naturalKey(value.join(' ')) : Number(value)
}

/** Rows without a value come last in both directions. */
function compare(one: Key, other: Key, direction: 1 | -1): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined)
  if (one === other) return 0
  return one < other ? -direction : direction
}
