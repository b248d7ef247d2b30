import { expect, it } from 'vitest'

import { minutesLeft } from './time-left'

it.each([
  [60_000, 1, 4, 3],
  [60_000, 4, 4, 0],
  [10_000, 9, 10, 0],
  [3_600_000, 1, 3, 120],
])('estimates after %i ms, %i of %i', (elapsed, done, total, minutes) => {
  expect(minutesLeft(elapsed, done, total)).toBe(minutes)
})

it('says nothing as long as it cannot tell', () => {
  expect(minutesLeft(60_000, 0, 4)).toBeUndefined()
  expect(minutesLeft(500, 1, 4)).toBeUndefined()
})
