import { toCsv } from '~/lib/csv'
import type { CsvCell } from '~/lib/csv'
import { saveText } from '~/lib/save-file'
import { columnLabel, valueOf } from '~/ui/table-column'
import type { Column, ColumnValue } from '~/ui/table-column'

import type { ViewedList } from './view-menu'

/**
 * Saves the rows of the page that is shown as a file of comma-separated values, such as `instances-web-2026-11-25.csv`.
 *
 * @param columns those that are shown.
 */
export function saveCsv<Row>(
  columns: readonly Column<Row>[],
  { items, list, place }: ViewedList<Row>,
): void {
  const day = new Date().toISOString().slice(0, 10)
  const parts = [collectionOf(list.operation.path), ...placeNames(place), day]
  saveText(`${parts.join('-')}.csv`, 'text/csv', listCsv(columns, items))
}

/** Rows as comma-separated values below the names of the columns. Times are in UTC. */
export function listCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const valued = columns.filter(
    (column) => column.value ?? rows.some((row) => valueOf(column, row) !== undefined),
  )
  return toCsv([
    valued.map(columnLabel),
    ...rows.map((row) => valued.map((column) => cellOf(valueOf(column, row)))),
  ])
}

function cellOf(value: ColumnValue): CsvCell {
  if (value === undefined || value === null) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? value.join(' ') : value
}

/** What a path lists, for example `disks`. */
const collectionOf = (path: string) => /([^/{}]+)(\/\{\w+\})*$/.exec(path)?.[1] ?? 'list'

/** What contains the rows: the name of the place, or the names that its path is made of. */
function placeNames(place: unknown): string[] {
  if (typeof place === 'string') return [inFileName(place)]
  if (typeof place !== 'object' || place === null) return []
  const parts = 'name' in place ? [place.name] : Object.values(place)
  return parts.filter((part) => typeof part === 'string').map(inFileName)
}

const inFileName = (text: string) => text.replaceAll(/[^\w.-]+/g, '-')
