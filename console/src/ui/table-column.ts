import type { ReactNode } from 'react'

/** What a column says of a row: one value, several texts, or nothing. */
export type ColumnValue = string | number | boolean | Date | readonly string[] | null | undefined

/** By what the rows of a table can be filtered in one column. */
export interface ColumnFilter<R> {
  /** What counts of a value, where that is not the value itself. */
  by?: 'age' | 'size' | 'yesOrNo' | 'ipVersion'
  /** What a row has. The value of the column unless given. A row with several texts passes with each of them. */
  value?: (row: R) => ColumnValue
  /** All values that there can be, in their order. Unless given, they are those that the rows have. */
  choices?: readonly string[]
  /** What a value is called. Itself unless given. */
  label?: (value: string) => string
}

/** One column of a {@link Table}. */
export interface Column<R> {
  /** Unique within the table. URLs that choose columns have it. */
  id: string
  header: string
  /** What stands in a tooltip beside the header. */
  tip?: ReactNode
  /** The header is for screen readers only. */
  isHeaderHidden?: boolean
  /** What the cell shows. A plain string is cut to the column, with the whole of it on hover and focus. */
  cell: (row: R) => ReactNode
  /**
   * The exact value, for files: sizes in bytes, times as such. Unless given, it is what the cell shows, if that is a text or a number; a
   * column with neither is not in files.
   */
  value?: (row: R) => ColumnValue
  /** Base width in pixels; spare room is shared in proportion to it. Default 160, the name column 240. */
  width?: number
  /** Numbers stand at the end, so that their digits line up. */
  align?: 'start' | 'end'
  /** The column that says which row this is. It stays in view while the table scrolls sideways; must be the first. */
  isName?: boolean
  /** Pixels that the name column keeps in a narrow table, when what it has beside a name must stay in sight. */
  minWidth?: number
  /** An important column. If not all columns fit, it is next to the name. */
  isKey?: boolean
  /** Width of the window in pixels from which the column is shown unless the person chooses otherwise. In any unless given. */
  usualFrom?: number
  /** How the rows can be filtered by the column, if they can. */
  filter?: ColumnFilter<R>
  /** Neighbours with the same group share a header above their own. */
  group?: string
}

/** The exact value of a cell; none if it is an element without one. */
export function valueOf<R>({ value, cell }: Column<R>, row: R): ColumnValue {
  if (value) return value(row)
  const content = cell(row)
  return typeof content === 'string' || typeof content === 'number' ? content : undefined
}

/** The text of a cell that a search looks at. */
export function columnText<R>(column: Column<R>, row: R): string {
  const value = valueOf(column, row)
  if (value === undefined || value === null || value instanceof Date) return ''
  return typeof value === 'object' ? value.join(' ') : String(value)
}

/** Whether rows can be sorted by a column: it has exact values, or is the name. */
export const isSortable = <R>({ value, isName, isHeaderHidden }: Column<R>): boolean =>
  (value !== undefined || isName === true) && !isHeaderHidden

/** What a column is called. */
export const columnLabel = <R>({ header, group }: Column<R>): string =>
  group === undefined ? header : `${group}: ${header}`

const DEFAULT_WIDTH = 160
const NAME_WIDTH = 240

/** Largest share of a narrow table that the name column keeps for itself, because it does not scroll away. */
const NAME_SHARE = 0.36

/**
 * Whether all columns fit, so that they are shown in the order in which they are given.
 *
 * @param room pixels for all of them; 0 or less when unknown, none where each has a line of its own.
 */
export const haveRoom = <R>(columns: readonly Column<R>[], room?: number): boolean =>
  room !== undefined &&
  (room <= 0 || columns.reduce((sum, column) => sum + ownWidth(column), 0) <= room)

/** Name and key columns first, so that these are in sight without scrolling where not all columns fit. */
export function importantFirst<R>(columns: readonly Column<R>[]): readonly Column<R>[] {
  const rank = ({ isName, isKey }: Column<R>) => (isName ? 0 : isKey ? 1 : 2)
  return columns.toSorted((one, other) => rank(one) - rank(other))
}

const ownWidth = <R>({ width, isName }: Column<R>) => width ?? (isName ? NAME_WIDTH : DEFAULT_WIDTH)

/**
 * Base widths of columns in pixels.
 *
 * @param frameWidth width of the table's frame in pixels; 0 when unknown.
 */
export function baseWidths<R>(columns: readonly Column<R>[], frameWidth: number): number[] {
  const widths = columns.map(ownWidth)
  const total = widths.reduce((sum, width) => sum + width, 0)
  if (frameWidth === 0 || total <= frameWidth) return widths
  const most = Math.floor(frameWidth * NAME_SHARE)
  return widths.map((width, index) => {
    const { isName = false, minWidth = 0 } = columns[index] ?? {}
    return isName ? Math.max(Math.min(width, most), minWidth) : width
  })
}
