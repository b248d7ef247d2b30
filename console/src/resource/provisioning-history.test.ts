import { describe, expect, it } from 'vitest'

import type { Measurement } from '~/api/generated/types.gen'
import { GIB, TIB } from '~/lib/units'

import { provisioningSteps, storageUnitOf } from './provisioning-history'

const range = { start: new Date('2026-11-21T10:00:00Z'), end: new Date('2026-11-21T11:00:00Z') }
const start = range.start.getTime()
const end = range.end.getTime()
const at = (minute: number) => start + minute * 60_000
const point = (minute: number, datum: number): Measurement => ({
  timestamp: new Date(at(minute)),
  datum: { type: 'i64', datum },
})

const steps = (inRange: Measurement[], before?: Measurement) => {
  const { times, series } = provisioningSteps({ range, inRange, before }, 'CPU', 1)
  return times.map((time, place) => [time, series[0]?.values[place]])
}

describe('provisioningSteps', () => {
  it('begins with what held before and ends with what holds now', () => {
    expect(steps([point(10, 4), point(20, 6)], point(-90, 2))).toEqual([
      [start, 2],
      [at(10), 4],
      [at(20), 6],
      [end, 6],
    ])
  })

  it('begins with nothing where nothing was measured before', () => {
    expect(steps([point(10, 4)])).toEqual([
      [start, 0],
      [at(10), 4],
      [end, 4],
    ])
  })

  it('holds the last value through a range without changes', () => {
    expect(steps([], point(-90, 2))).toEqual([
      [start, 2],
      [end, 2],
    ])
  })

  it('adds no beginning to a point that stands there', () => {
    expect(steps([point(0, 3)], point(-90, 2))).toEqual([
      [start, 3],
      [end, 3],
    ])
  })

  it('shows nothing where nothing was ever measured', () => {
    expect(steps([])).toEqual([])
  })

  it('converts every point, made-up ones too', () => {
    const { series } = provisioningSteps(
      { range, inRange: [point(10, 3 * GIB)], before: point(-1, GIB) },
      'Memory',
      GIB,
    )
    expect(series[0]?.values).toEqual([1, 3, 3])
  })
})

describe('storageUnitOf', () => {
  it('is the larger one once there is that much', () => {
    expect(storageUnitOf({ range, inRange: [point(1, GIB)], before: undefined })).toBe('GiB')
    expect(storageUnitOf({ range, inRange: [point(1, GIB)], before: point(-1, TIB) })).toBe('TiB')
  })
})
