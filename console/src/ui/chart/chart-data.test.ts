import { describe, expect, it } from 'vitest'

import { alignSeries, hasValues, isolatedPlaces, largestValue, marksAt } from './chart-data'

describe('alignSeries', () => {
  it('leaves gaps where a series has no value', () => {
    const data = alignSeries([
      { label: 'a', times: [1, 3], values: [10, 30] },
      { label: 'b', times: [2, 3], values: [null, 5] },
    ])
    expect(data).toEqual({
      times: [1, 2, 3],
      series: [
        { label: 'a', values: [10, null, 30] },
        { label: 'b', values: [null, null, 5] },
      ],
    })
    expect(largestValue(data)).toBe(30)
  })
})

describe('hasValues', () => {
  it('tells nulls from values', () => {
    expect(hasValues({ times: [1], series: [{ label: 'a', values: [null] }] })).toBe(false)
    expect(hasValues({ times: [1], series: [{ label: 'a', values: [0] }] })).toBe(true)
    expect(hasValues({ times: [], series: [] })).toBe(false)
  })
})

describe('isolatedPlaces', () => {
  it('finds what no line would show', () => {
    expect(isolatedPlaces([1, null, 2, 3, null, 4])).toEqual([0, 5])
    expect(isolatedPlaces([7])).toEqual([0])
  })
})

it('says which events are at a moment: those until the next one', () => {
  const marks = [5, 10, 19, 20, 35].map((time) => {
    return { id: String(time), time, label: '', isFailure: false }
  })
  const at = (place: number) => marksAt(marks, [10, 20, 30], place).map(({ time }) => time)
  expect([at(0), at(1), at(2), at(3)]).toEqual([[5, 10, 19], [20], [35], []])
})
