import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { useLoadingPhase } from '~/ui/loading-bar'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const advance = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))

function bar() {
  return renderHook((isLoading: boolean) => useLoadingPhase(isLoading), { initialProps: false })
}

it('shows nothing for a navigation of less than 20 ms', () => {
  const { result, rerender } = bar()
  rerender(true)
  advance(19)
  rerender(false)
  advance(1000)
  expect(result.current).toBe('idle')
})

it('waits, fills and goes', () => {
  const { result, rerender } = bar()
  rerender(true)
  advance(20)
  expect(result.current).toBe('loading')
  advance(60_000)
  expect(result.current).toBe('loading')
  rerender(false)
  expect(result.current).toBe('done')
  advance(300)
  expect(result.current).toBe('idle')
})

it('starts over when the next navigation begins while it fades', () => {
  const { result, rerender } = bar()
  rerender(true)
  advance(20)
  rerender(false)
  advance(100)
  rerender(true)
  advance(20)
  expect(result.current).toBe('loading')
})
