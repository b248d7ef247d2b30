import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { useUrlText } from './use-url-text'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function show() {
  const write = vi.fn<(text: string | undefined) => void>()
  const { result, rerender } = renderHook(({ kept }) => useUrlText(kept, write), {
    initialProps: { kept: 'db' },
  })
  return {
    write,
    shown: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    /** The URL has changed. */
    keep: (kept: string) => rerender({ kept }),
    pause: () => act(() => vi.advanceTimersByTime(1_000)),
  }
}

it('begins with the URL, and writes what is typed in one moment once', () => {
  const { shown, type, pause, write } = show()
  expect(shown()).toBe('db')
  pause()
  expect(write).not.toHaveBeenCalled()
  type('d')
  type('de ')
  expect(shown()).toBe('de ')
  pause()
  expect(write.mock.calls).toEqual([['de']])
  type('')
  pause()
  expect(write).toHaveBeenLastCalledWith(undefined)
})

it('writes at once after a quiet time, and then no more often than every 100 ms', () => {
  const { type, write } = show()
  const later = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))
  const written = () => write.mock.calls.flat()
  type('w')
  later(1)
  expect(written()).toEqual(['w'])
  for (const text of ['we', 'web', 'web-']) {
    type(text)
    later(30)
  }
  expect(written()).toEqual(['w'])
  later(10)
  expect(written()).toEqual(['w', 'web-'])
  later(1_000)
  type('web-1')
  later(1)
  expect(written()).toEqual(['w', 'web-', 'web-1'])
})

it('loses nothing that is typed while the URL is on its way', () => {
  const { shown, type, pause, keep } = show()
  type('web')
  pause()
  type('web-1')
  keep('web')
  expect(shown()).toBe('web-1')
})

it('follows the URL where something else changed it', () => {
  const { shown, type, pause, keep } = show()
  type('web')
  pause()
  keep('web')
  keep('db')
  expect(shown()).toBe('db')
})
