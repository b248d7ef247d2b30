import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { batches } from './batch'

let held = false
const handOn = vi.fn<(items: number[]) => void>()
const seen = () => handOn.mock.calls.map(([items]) => items)

beforeEach(() => {
  vi.useFakeTimers()
  held = false
  handOn.mockReset()
})
afterEach(() => vi.useRealTimers())

it('hands on what comes after a quiet time at once, with what comes in the same moment', () => {
  const batch = batches(handOn, () => held)
  batch.add([1])
  batch.add([2])
  expect(handOn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(0)
  expect(seen()).toEqual([[1, 2]])
})

it('spreads in time what follows a few batches, and recovers', () => {
  const batch = batches(handOn, () => held)
  for (const item of [1, 2, 3]) {
    batch.add([item])
    vi.advanceTimersByTime(1)
  }
  expect(seen()).toEqual([[1], [2], [3]])
  batch.add([4])
  vi.advanceTimersByTime(100)
  batch.add([5])
  expect(seen()).toHaveLength(3)
  vi.advanceTimersByTime(50)
  expect(seen().slice(3)).toEqual([[4, 5]])
  vi.advanceTimersByTime(10_000)
  batch.add([6])
  vi.advanceTimersByTime(0)
  expect(seen()).toHaveLength(5)
})

it('hands on in growing distances while a lot keeps coming', () => {
  const batch = batches(handOn, () => held)
  for (let time = 0; time < 10_000; time += 2) {
    batch.add([time])
    vi.advanceTimersByTime(2)
  }
  expect(seen().length).toBeLessThan(15)
  expect(seen().length).toBeGreaterThan(8)
  vi.advanceTimersByTime(10_000)
  expect(seen().flat()).toHaveLength(5_000)
})

it('waits while it is held up, but not for ever', () => {
  const batch = batches(handOn, () => held)
  held = true
  batch.add([1])
  vi.advanceTimersByTime(500)
  expect(handOn).not.toHaveBeenCalled()
  held = false
  vi.advanceTimersByTime(50)
  expect(seen()).toEqual([[1]])
  held = true
  batch.add([2])
  vi.advanceTimersByTime(2_500)
  expect(seen()).toEqual([[1], [2]])
})

it('forgets what has gathered when it ends', () => {
  const batch = batches(handOn, () => held)
  batch.add([1])
  batch.clear()
  vi.advanceTimersByTime(1_000)
  expect(handOn).not.toHaveBeenCalled()
})
