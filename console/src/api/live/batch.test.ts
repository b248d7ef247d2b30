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

it('hands on what comes together at once, and what follows soon after', () => {
  const batch = batches(handOn, () => held)
  batch.add([1])
  batch.add([2])
  vi.advanceTimersByTime(25)
  expect(seen()).toEqual([[1, 2]])
  batch.add([3])
  vi.advanceTimersByTime(100)
  batch.add([4])
  expect(seen()).toHaveLength(1)
  vi.advanceTimersByTime(50)
  expect(seen()).toEqual([
    [1, 2],
    [3, 4],
  ])
  vi.advanceTimersByTime(10_000)
  batch.add([5])
  vi.advanceTimersByTime(25)
  expect(seen()).toHaveLength(3)
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
