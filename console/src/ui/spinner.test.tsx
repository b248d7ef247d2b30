import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { useMinimumDuration } from '~/ui/spinner'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))

function spinner(active: boolean) {
  return renderHook((isActive: boolean) => useMinimumDuration(isActive), { initialProps: active })
}

it('stays half a second even if the work takes no time', () => {
  const { result, rerender } = spinner(true)
  expect(result.current).toBe(true)
  advance(20)
  rerender(false)
  expect(result.current).toBe(true)
  advance(479)
  expect(result.current).toBe(true)
  advance(1)
  expect(result.current).toBe(false)
})

it('ends at once when the work took longer', () => {
  const { result, rerender } = spinner(true)
  advance(2000)
  rerender(false)
  advance(0)
  expect(result.current).toBe(false)
})

it('counts from its first start when work begins again meanwhile', () => {
  const { result, rerender } = spinner(true)
  advance(100)
  rerender(false)
  advance(100)
  rerender(true)
  advance(100)
  rerender(false)
  advance(199)
  expect(result.current).toBe(true)
  advance(1)
  expect(result.current).toBe(false)
})

it('does not appear without work', () => {
  expect(spinner(false).result.current).toBe(false)
})
