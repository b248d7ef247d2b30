import { beforeEach, expect, it, vi } from 'vitest'

import { atMost } from './at-most'

let started: string[]
let ends: Map<string, { resolve: (name: string) => void; reject: (failure: Error) => void }>

beforeEach(() => {
  started = []
  ends = new Map()
})

/** A task that runs until it is told how to end. */
const task = (name: string) => () => {
  started.push(name)
  return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }))
}
const end = (name: string) => ends.get(name)?.resolve(name)
const fail = (name: string) => ends.get(name)?.reject(new Error(name))

const startedAre = (names: string[]) => vi.waitFor(() => expect(started).toEqual(names))

it('starts the next one when one ends, however it ends', async () => {
  const run = atMost(2)
  const results = ['a', 'b', 'c', 'd'].map((name) => run(task(name)))
  const ended = Promise.allSettled(results)
  expect(started).toEqual(['a', 'b'])
  end('b')
  await startedAre(['a', 'b', 'c'])
  fail('a')
  await startedAre(['a', 'b', 'c', 'd'])
  end('c')
  end('d')
  expect((await ended).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
})

it('does not start what nobody waits for any more', async () => {
  const run = atMost(1)
  const gone = new AbortController()
  const first = run(task('a'))
  const second = run(task('b'), gone.signal)
  const third = run(task('c'))
  gone.abort()
  end('a')
  await expect(second).rejects.toThrow('aborted')
  await startedAre(['a', 'c'])
  end('c')
  expect(await Promise.all([first, third])).toEqual(['a', 'c'])
  expect(started).toEqual(['a', 'c'])
})
