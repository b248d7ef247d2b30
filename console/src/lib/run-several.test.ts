import { expect, it, vi } from 'vitest'

import { AT_ONCE, runSeveral } from './run-several'
import type { Result } from './run-several'

/** Calls that end when the test says so. */
function calls() {
  const started: number[] = []
  const ends = new Map<number, (error?: string) => void>()
  const run = (item: number) => {
    started.push(item)
    return new Promise<void>((resolve, reject) => {
      ends.set(item, (error) => (error === undefined ? resolve() : reject(new Error(error))))
    })
  }
  return { started, run, end: (item: number, error?: string) => ends.get(item)?.(error) }
}

const items = Array.from({ length: AT_ONCE + 2 }, (_, index) => index + 1)
const ignore = () => undefined

it('starts as many as may run at once, in order, and the next whenever one has ended', async () => {
  const { started, run, end } = calls()
  const all = runSeveral(items, run, { signal: new AbortController().signal, onSettled: ignore })
  expect(started).toEqual(items.slice(0, AT_ONCE))
  end(3)
  await vi.waitFor(() => expect(started).toEqual(items.slice(0, AT_ONCE + 1)))
  for (const item of items) end(item)
  await vi.waitFor(() => expect(started).toEqual(items))
  end(items.length)
  expect(await all).toHaveLength(items.length)
})

it('goes on after a failure, and says which it was', async () => {
  const settled: Result<number>[] = []
  const run = (item: number) =>
    item === 2 ? Promise.reject(new Error('two is attached')) : Promise.resolve()
  const results = await runSeveral([1, 2, 3], run, {
    signal: new AbortController().signal,
    onSettled: (result) => settled.push(result),
  })
  const byItem = results.toSorted((one, other) => one.item - other.item)
  expect(byItem).toEqual([
    { item: 1 },
    { item: 2, failure: { error: new Error('two is attached') } },
    { item: 3 },
  ])
  expect(settled).toEqual(results)
})

it('starts no more once it is canceled, and waits for what runs', async () => {
  const { started, run, end } = calls()
  const cancel = new AbortController()
  const all = runSeveral(items, run, { signal: cancel.signal, onSettled: ignore })
  cancel.abort()
  for (const item of items) end(item)
  expect(await all).toHaveLength(AT_ONCE)
  expect(started).toHaveLength(AT_ONCE)
})
