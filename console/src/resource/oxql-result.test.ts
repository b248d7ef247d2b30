import { describe, expect, it } from 'vitest'

import type { OxqlQueryResult } from '~/api/generated/types.gen'

import { resultCsv, resultTables } from './oxql-result'

const minute = (value: number) => `2026-11-21T10:0${value}:00Z`
const values = (type: string, ...list: unknown[]) => ({
  metricType: 'gauge',
  values: { type, values: list },
})
const text = (value: string) => ({ type: 'string', value })

const asResult = (tables: unknown[]) => ({ tables }) as OxqlQueryResult

const twoDisks = asResult([
  {
    name: 'virtual_disk:reads',
    timeseries: {
      '1': {
        fields: { diskId: text('one'), siloId: text('s') },
        points: {
          startTimes: null,
          timestamps: [minute(0), minute(1)],
          values: [values('integer', 1, null)],
        },
      },
      '2': {
        fields: { diskId: text('two'), siloId: text('s') },
        points: { startTimes: null, timestamps: [minute(1)], values: [values('integer', 5)] },
      },
    },
  },
])

describe('resultTables', () => {
  it('names series by the fields that tell them apart, and leaves gaps', () => {
    const [table] = resultTables(twoDisks)
    expect(table).toMatchObject({ name: 'virtual_disk:reads', seriesCount: 2, pointCount: 3 })
    expect(table?.data.series).toEqual([
      { label: 'disk_id=one', values: [1, null] },
      { label: 'disk_id=two', values: [null, 5] },
    ])
  })

  it('draws each table of a join, and names a single series after its table', () => {
    const points = {
      startTimes: null,
      timestamps: [minute(0)],
      values: [values('double', 1.5), values('double', 2.5)],
    }
    const [joined] = resultTables(
      asResult([{ name: 'a:x,b:y', timeseries: { '1': { fields: {}, points } } }]),
    )
    expect(joined?.data.series).toEqual([
      { label: 'a:x', values: [1.5] },
      { label: 'b:y', values: [2.5] },
    ])
    const single = { ...points, values: [values('boolean', true)] }
    const [table] = resultTables(
      asResult([{ name: 'a:x', timeseries: { '1': { fields: {}, points: single } } }]),
    )
    expect(table?.data.series).toEqual([{ label: 'a:x', values: [1] }])
  })

  it('draws distributions as means, and no texts', () => {
    const distribution = { bins: [0, 10], counts: [1, 3], sumOfSamples: 100, squaredMean: 0 }
    const nothing = { ...distribution, counts: [0, 0], sumOfSamples: 0 }
    const [means, texts] = resultTables(
      asResult([
        {
          name: 'a:x',
          timeseries: {
            '1': {
              fields: {},
              points: {
                timestamps: [minute(0), minute(1)],
                values: [values('integer_distribution', distribution, nothing)],
              },
            },
          },
        },
        {
          name: 'a:y',
          timeseries: {
            '1': {
              fields: {},
              points: { timestamps: [minute(0)], values: [values('string', 'up')] },
            },
          },
        },
      ]),
    )
    expect(means).toMatchObject({ hasDistributions: true })
    expect(means?.data.series[0]?.values).toEqual([25, null])
    expect(texts).toMatchObject({ hasText: true, seriesCount: 1 })
    expect(texts?.data.series).toEqual([])
  })
})

describe('resultCsv', () => {
  it('has a row for each point, with all fields', () => {
    expect(resultCsv(twoDisks)).toBe(
      [
        'timeseries,disk_id,silo_id,start_time,timestamp,value',
        `virtual_disk:reads,one,s,,${minute(0)},1`,
        `virtual_disk:reads,one,s,,${minute(1)},`,
        `virtual_disk:reads,two,s,,${minute(1)},5`,
        '',
      ].join('\r\n'),
    )
  })
})
