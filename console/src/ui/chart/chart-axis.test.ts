import { describe, expect, it } from 'vitest'

import { axisTicks, axisTop, formatCount, timeTickFormat, timeTicks } from './chart-axis'

describe('axisTop', () => {
  it.each([
    [0, 6],
    [1, 6],
    [5, 6],
    [10, 12],
    [11, 18],
    [100, 120],
    [101, 126],
  ])('is above %d at %d', (largest, top) => expect(axisTop(largest)).toBe(top))

  it('has six whole ticks', () => {
    expect(axisTicks(18)).toEqual([3, 6, 9, 12, 15, 18])
  })
})

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [999, '999'],
    [999.6, '1k'],
    [1500, '1.5k'],
    [123_456, '123k'],
    [999_900, '1M'],
    [2_000_000_000, '2B'],
    [4e15, '4000T'],
    [-1500, '-1.5k'],
  ])('writes %d as %s', (count, text) => expect(formatCount(count)).toBe(text))
})

describe('timeTicks', () => {
  const start = new Date(2026, 10, 21, 10)
  const end = new Date(2026, 10, 21, 11)

  it('spreads five moments over the range', () => {
    const ticks = timeTicks({ start, end }).map(timeTickFormat({ start, end }))
    expect(ticks).toEqual(['10:00', '10:15', '10:30', '10:45', '11:00'])
  })

  it('says seconds where there are several in a minute', () => {
    const minute = { start, end: new Date(start.getTime() + 60_000) }
    expect(timeTicks(minute).map(timeTickFormat(minute))).toEqual([
      '10:00:00',
      '10:00:15',
      '10:00:30',
      '10:00:45',
      '10:01:00',
    ])
  })

  it('says the day where there is more than one', () => {
    const nextDay = new Date(2026, 10, 22, 10)
    expect(timeTickFormat({ start, end: nextDay })(start.getTime())).toBe('11/21 10:00')
  })
})
