import { formatBytes } from '~/lib/units'
import * as text from '~/messages/filter-values'
import { valueOf } from '~/ui/table-column'
import type { Column, ColumnFilter, ColumnValue } from '~/ui/table-column'

import { NO_VALUE } from './list-view'

type By = NonNullable<ColumnFilter<never>['by']>

/** How rows are filtered by something other than the value itself. */
interface Way {
  of?: (value: ColumnValue) => ColumnValue
  choices?: readonly string[]
  label?: (value: string) => string
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Milliseconds that times of these ages go back. */
const AGES: [age: string, reach: number][] = [
  ['hour', HOUR],
  ['day', DAY],
  ['week', 7 * DAY],
  ['month', 30 * DAY],
]

/** All ages that fit: what is of the last hour is of the last week, too. */
function agesOf(time: ColumnValue): ColumnValue {
  if (!(time instanceof Date)) return 'never'
  const age = Date.now() - time.getTime()
  const fitting = AGES.flatMap(([name, reach]) => (age <= reach ? [name] : []))
  return fitting.length > 0 ? fitting : 'older'
}

const named = (names: Record<string, string>): Way => ({
  choices: Object.keys(names),
  label: (value) => names[value] ?? value,
})

const WAYS: Record<By, Way> = {
  age: { ...named(text.ageLabel), of: agesOf },
  size: { label: (bytes) => formatBytes(Number(bytes)) },
  yesOrNo: named(text.yesOrNoLabel),
  ipVersion: {
    ...named(text.versionLabel),
    of: (address) => (String(address).includes(':') ? 'v6' : 'v4'),
  },
}

const wayOf = <Row>({ filter }: Column<Row>): Way => (filter?.by ? WAYS[filter.by] : {})

/** The values of a row by which it can be filtered in a column. */
export function filterValues<Row extends object>(column: Column<Row>, row: Row): readonly string[] {
  const own = column.filter?.value ? column.filter.value(row) : valueOf(column, row)
  const { of } = wayOf(column)
  const value = of ? of(own) : own
  if (value === undefined || value === null || value === '') return [NO_VALUE]
  if (typeof value !== 'object' || value instanceof Date) return [String(value)]
  return value.length > 0 ? value : [NO_VALUE]
}

/** All values that a column can have, in their order, where that is known. */
export const allValues = <Row>(column: Column<Row>): readonly string[] =>
  column.filter?.choices ?? wayOf(column).choices ?? []

/** What a value of a column is called. */
export function valueLabel<Row>(column: Column<Row>, value: string): string {
  if (value === NO_VALUE) return text.noValueLabel
  const label = column.filter?.label ?? wayOf(column).label
  return label ? label(value) : value
}
