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

it('begins with the URL, and writes once, after a pause', () => {
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
