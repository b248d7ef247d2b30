import { describe, expect, it } from 'vitest'

import type { OxqlQueryResult } from '~/api/generated/types.gen'

import { metricValues, sumSeries } from './metric-values'

const at = (minute: number) => `2026-11-21T10:0${minute}:00Z`
const time = (minute: number) => Date.parse(at(minute))

function result(...series: [minutes: number[], values: (number | null)[]][]): OxqlQueryResult {
  const timeseries = series.map(([minutes, values], key) => [
    String(key),
    {
      fields: {},
      points: {
        startTimes: null,
        timestamps: minutes.map(at),
        values: [{ metricType: 'gauge', values: { type: 'double', values } }],
      },
    },
  ])
  return {
    tables: [{ name: 'a:b', timeseries: Object.fromEntries(timeseries) }],
  } as OxqlQueryResult
}

describe('sumSeries', () => {
  it('adds up what there is, and leaves out the first point', () => {
    const summed = sumSeries(
      result(
        [
          [0, 1, 2, 3],
          [1000, 1, null, null],
        ],
        [
          [0, 1, 2, 3],
          [2000, 2, 3, null],
        ],
      ),
    )
    expect(summed).toEqual({
      times: [time(1), time(2), time(3)],
      values: [3, 3, null],
      count: 2,
    })
  })

  it('keeps series apart in time that began at different moments', () => {
    const summed = sumSeries(
      result(
        [
          [0, 1, 2],
          [9, 1, 1],
        ],
        [
          [1, 2],
          [9, 5],
        ],
      ),
    )
    expect(summed.values).toEqual([1, 6])
  })

  it('has nothing where only the first point is there, or no table', () => {
    expect(sumSeries(result([[0], [5]])).times).toEqual([])
    expect(sumSeries({ tables: [] })).toEqual({ times: [], values: [], count: 0 })
  })

  it('looks at the first table alone', () => {
    const [table] = result([
      [0, 1],
      [1, 2],
    ]).tables
    const [other] = result([
      [0, 1],
      [1, 40],
    ]).tables
    expect(sumSeries({ tables: [table, other] as OxqlQueryResult['tables'] }).values).toEqual([2])
  })
})

const summed = (values: (number | null)[], count = 1) => ({
  times: values.map((_, index) => index),
  values,
  count,
})

describe('metricValues', () => {
  it('makes percent of the time of all vCPUs', () => {
    const { data, unit, formatValue, formatTick } = metricValues(
      'CPU',
      'percent',
      summed([5e9, 1e10, null, 0], 2),
    )
    expect(data.series[0]?.values).toEqual([50, 100, null, 0])
    expect(unit).toBe('%')
    expect(formatValue(12.345)).toBe('12.35 %')
    expect(formatTick(12)).toBe('12%')
  })

  it.each([
    [[0, null], 'Bytes', [0, null]],
    [[1023], 'Bytes', [1023]],
    [[1024, 512], 'KiB', [1, 0.5]],
    [[3 * 1024 ** 3, 1024 ** 2], 'GiB', [3, 1 / 1024]],
    [[5 * 1024 ** 5], 'TiB', [5120]],
  ])('shows %j bytes in %s', (values, unit, shown) => {
    const metric = metricValues('Bytes Read', 'bytes', summed(values))
    expect(metric.unit).toBe(unit)
    expect(metric.data.series[0]?.values).toEqual(shown)
    expect(metric.formatValue(1.5)).toBe(`1.5 ${unit}`)
  })

  it('leaves counts as they are', () => {
    const { data, unit, formatTick } = metricValues('Reads', 'count', summed([1234.5]))
    expect(data.series[0]?.values).toEqual([1234.5])
    expect(unit).toBe('Count')
    expect(formatTick(1200)).toBe('1.2k')
  })
})
