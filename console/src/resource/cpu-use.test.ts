import { expect, it } from 'vitest'

import type { OxqlQueryResult } from '~/api/generated/types.gen'

import { cpuPercents, cpuTimesById } from './cpu-use'

const minutes = ['2026-11-25T10:00:00Z', '2026-11-25T10:01:00Z', '2026-11-25T10:02:00Z']

/** The series of an instance, from a minute on. */
const series = (id: string, values: number[], from = 0) => ({
  fields: { instanceId: { type: 'uuid', value: id } },
  points: {
    timestamps: minutes.slice(from),
    values: [{ metricType: 'gauge', values: { type: 'double', values } }],
  },
})

it('sorts the series by instance, at the same times and without what was counted before', () => {
  const result = {
    tables: [
      {
        name: 'virtual_machine:vcpu_usage',
        timeseries: { 1: series('db', [9e9, 1e9, 2e9]), 2: series('web', [9e9, 4e9], 1) },
      },
    ],
  } as unknown as OxqlQueryResult
  expect(cpuTimesById(result)).toEqual({ db: [1e9, 2e9], web: [null, 4e9] })
})

it('is a share of all vCPUs, and 100 percent at most', () => {
  expect(cpuPercents([2.5e9, null, 30e9], 2)).toEqual([25, null, 100])
})
