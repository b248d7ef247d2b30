import { formatBytes } from '~/lib/units'
import * as text from '~/messages/column-filters'
import type { ColumnFilter, ColumnValue } from '~/ui/table-column'

/** By the values that the rows have in the column. */
export const byValue: ColumnFilter<unknown> = {}

/** By sizes in bytes. */
export const bySize: ColumnFilter<unknown> = { label: (bytes) => formatBytes(Number(bytes)) }

/** By what is either true or not. */
export const byYesOrNo: ColumnFilter<unknown> = {
  choices: ['true', 'false'],
  label: (value) => (value === 'true' ? text.yesLabel : text.noLabel),
}

/** By the version of the protocol that an address, or the first one of several, belongs to. */
export const byIpVersion = <Row>(addressOf: (row: Row) => string): ColumnFilter<Row> => ({
  choices: Object.keys(text.versionLabel),
  label: (version) => text.versionLabel[version as keyof typeof text.versionLabel],
  value: (row) => (addressOf(row).includes(':') ? 'v6' : 'v4'),
})

type Age = keyof typeof text.ageLabel

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Milliseconds that times of these ages go back. */
const AGES: [age: Age, reach: number][] = [
  ['hour', HOUR],
  ['day', DAY],
  ['week', 7 * DAY],
  ['month', 30 * DAY],
]

/** By how long ago something was. */
export const byAge = <Row>(time: (row: Row) => Date | null | undefined): ColumnFilter<Row> => ({
  choices: Object.keys(text.ageLabel),
  label: (age) => text.ageLabel[age as Age],
  value: (row) => agesOf(time(row)),
})

/** All ages that fit: what is of the last hour is of the last week, too. */
function agesOf(time: Date | null | undefined): ColumnValue {
  if (!time) return 'never'
  const age = Date.now() - time.getTime()
  const fitting = AGES.flatMap(([name, reach]) => (age <= reach ? [name] : []))
  return fitting.length > 0 ? fitting : 'older'
}
