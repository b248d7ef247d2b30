import type { OxqlQueryResult, Table, Timeseries, Values } from '~/api/generated/types.gen'
import { snakeCase } from '~/api/wire'
import { toCsv } from '~/lib/csv'
import type { CsvCell } from '~/lib/csv'
import { alignSeries } from '~/ui/chart/chart-data'
import type { ChartData } from '~/ui/chart/chart-data'

/** A table of a result, prepared for display. */
export interface ResultTable {
  /** Name of the timeseries that it was read from. */
  name: string
  /** All series that can be charted. */
  data: ChartData
  /** Number of series, charted or not. */
  seriesCount: number
  /** Number of points of all series. */
  pointCount: number
  /** Has non-numeric values, which are downloaded but not charted. */
  hasText: boolean
  /** Distributions are charted as the mean of their samples. */
  hasDistributions: boolean
}

/** Maximum number of series in one chart. */
export const MAX_SERIES = 40

/** The tables of a result, in their order. */
export function resultTables({ tables }: OxqlQueryResult): ResultTable[] {
  return tables.map((table) => {
    const all = Object.values(table.timeseries)
    const labels = seriesLabels(table)
    const types = new Set(
      all.flatMap(({ points }) => points.values.map(({ values }) => values.type)),
    )
    const parts = all.flatMap((series, index) => partsOf(table, series, labels[index] ?? ''))
    return {
      name: table.name,
      data: alignSeries(parts.slice(0, MAX_SERIES)),
      seriesCount: all.length,
      pointCount: all.reduce((sum, { points }) => sum + points.timestamps.length, 0),
      hasText: types.has('string'),
      hasDistributions: types.has('integer_distribution') || types.has('double_distribution'),
    }
  })
}

/** The lines of one series: one, or one for each joined table. */
function partsOf({ name }: Table, { points }: Timeseries, label: string) {
  const dimensions = points.values.filter(({ values }) => values.type !== 'string')
  const names = name.split(',')
  const times = points.timestamps.map((timestamp) => Date.parse(timestamp))
  return dimensions.map((dimension, index) => ({
    label: dimensions.length > 1 ? `${names[index] ?? index + 1} ${label}`.trim() : label || name,
    times,
    values: numbersOf(dimension),
  }))
}

function numbersOf({ values: { values } }: Values): (number | null)[] {
  return (values as readonly unknown[]).map((value) => {
    if (typeof value === 'number') return value
    if (typeof value === 'boolean') return Number(value)
    return isDistribution(value) ? meanOf(value) : null
  })
}

interface AnyDistribution {
  counts: number[]
  sumOfSamples: number
}

const isDistribution = (value: unknown): value is AnyDistribution =>
  typeof value === 'object' && value !== null && 'sumOfSamples' in value && 'counts' in value

function meanOf({ counts, sumOfSamples }: AnyDistribution): number | null {
  const count = countOf(counts)
  return count > 0 ? sumOfSamples / count : null
}

const countOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** The fields that distinguish the series of a table: those with different values, or all of them if none differ. */
function seriesLabels({ timeseries }: Table): string[] {
  const all = Object.values(timeseries).map(fieldsOf)
  const names = [...new Set(all.flatMap((fields) => [...fields.keys()]))].toSorted()
  const distinguishing = names.filter(
    (name) => new Set(all.map((fields) => fields.get(name))).size > 1,
  )
  return all.map((fields) =>
    distinguishing
      .flatMap((name) => (fields.has(name) ? [`${name}=${fields.get(name)}`] : []))
      .join(' '),
  )
}

/** The fields of a series, by their names in queries. */
const fieldsOf = ({ fields }: Timeseries) =>
  new Map(Object.entries(fields).map(([name, { value }]) => [snakeCase(name), String(value)]))

/** A whole result as CSV: a row for each point of each series. */
export function resultCsv({ tables }: OxqlQueryResult): string {
  const series = tables.flatMap((table) =>
    Object.values(table.timeseries).map((one) => ({
      table,
      points: one.points,
      fields: fieldsOf(one),
    })),
  )
  const names = [...new Set(series.flatMap(({ fields }) => [...fields.keys()]))].toSorted()
  const width = Math.max(1, ...series.map(({ points }) => points.values.length))
  const values =
    width === 1 ? ['value'] : Array.from({ length: width }, (_, at) => `value_${at + 1}`)
  const rows = series.flatMap(({ table, points, fields }) =>
    points.timestamps.map((timestamp, index): CsvCell[] => [
      table.name,
      ...names.map((name) => fields.get(name) ?? null),
      points.startTimes?.[index] ?? null,
      timestamp,
      ...values.map((_, dimension) => csvValue(points.values[dimension], index)),
    ]),
  )
  return toCsv([['timeseries', ...names, 'start_time', 'timestamp', ...values], ...rows])
}

function csvValue(dimension: Values | undefined, index: number): CsvCell {
  const value: unknown = dimension?.values.values[index] ?? null
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  return typeof value === 'string' ? value : JSON.stringify(value)
}
