import { beforeEach, expect, it, vi } from 'vitest'

import { COMBINATIONS, keysOf, typeText } from './-screen-keys'
import type { Key } from './-screen-keys'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const numbers = (keys: readonly Key[]) => keys.map(({ keysym }) => keysym)

it('knows the keys of a US keyboard', () => {
  expect(numbers(keysOf('a'))).toEqual([0x61])
  expect(numbers(keysOf('A'))).toEqual([0xffe1, 0x41])
  expect(numbers(keysOf('?'))).toEqual([0xffe1, 0x3f])
  expect(numbers(keysOf('/'))).toEqual([0x2f])
  expect(numbers(keysOf('\n'))).toEqual([0xff0d])
  expect(numbers(keysOf('ä'))).toEqual([0xe4])
  expect(numbers(keysOf('€'))).toEqual([0x1_00_20_ac])
  expect(keysOf('\u0007')).toEqual([])
})

it('has the function keys where X11 has them', () => {
  const f1 = COMBINATIONS.find(({ name }) => name === 'Ctrl+Alt+F1')
  expect(f1?.keys.at(-1)).toEqual({ keysym: 0xffbe, key: 'F1' })
})

it('types one character after the other', async () => {
  const press = vi.fn<(keys: readonly Key[]) => void>()
  const typed = typeText('a\r\nb', press, new AbortController().signal)
  expect(press).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(40)
  expect(press).toHaveBeenCalledTimes(2)
  await vi.runAllTimersAsync()
  await typed
  expect(press.mock.calls.map(([keys]) => numbers(keys))).toEqual([[0x61], [0xff0d], [0x62]])
})

it('stops when the screen is left', async () => {
  const press = vi.fn<(keys: readonly Key[]) => void>()
  const leaving = new AbortController()
  const typed = typeText('long text', press, leaving.signal)
  leaving.abort()
  await vi.runAllTimersAsync()
  await typed
  expect(press).toHaveBeenCalledOnce()
})
