import { toCsv } from '~/lib/csv'
import type { CsvCell } from '~/lib/csv'
import { saveText } from '~/lib/save-file'
import * as text from '~/messages/labels'
import { labelsOfAll } from '~/resource/label-batch'
import { labelText } from '~/resource/label-rules'
import { failureMessage } from '~/ui/failure-message'
import { columnLabel, valueOf } from '~/ui/table-column'
import type { Column, ColumnValue } from '~/ui/table-column'
import { toast } from '~/ui/toast'

import type { ListLabels } from './list-labels'
import { LABELS } from './list-view'
import type { ViewedList } from './view-menu'

/**
 * Saves the rows of the page that is shown as a file of comma-separated values, such as `instances-web-2026-11-25.csv`.
 *
 * @param columns those that are shown.
 */
export async function saveCsv<Row>(
  columns: readonly Column<Row>[],
  { items, list, place, labels }: ViewedList<Row>,
): Promise<void> {
  let valued = columns
  try {
    if (labels) valued = await withLabels(columns, items, labels)
  } catch (failure) {
    toast({ variant: 'error', title: text.loadFailedTitle, content: failureMessage(failure) })
    return
  }
  const day = new Date().toISOString().slice(0, 10)
  const parts = [collectionOf(list.operation.path), ...placeNames(place), day]
  saveText(`${parts.join('-')}.csv`, 'text/csv', listCsv(valued, items))
}

/** The columns, of which that of labels says what the labels of each row are. */
async function withLabels<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  labels: ListLabels,
): Promise<readonly Column<Row>[]> {
  if (!columns.some(({ id }) => id === LABELS)) return columns
  const idOf = (row: Row) => (row as { id: string }).id
  const found = await labelsOfAll(labels, rows.map(idOf))
  const value = (row: Row) => found.get(idOf(row))?.labels.map(labelText) ?? []
  return columns.map((column) => (column.id === LABELS ? { ...column, value } : column))
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
