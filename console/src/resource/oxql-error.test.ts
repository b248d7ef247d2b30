import { describe, expect, it } from 'vitest'

import { oxqlErrorPlace } from './oxql-error'

describe('oxqlErrorPlace', () => {
  it.each([
    ['get foo', 'Error at 1:5: .. get foo ..', 4],
    ['get a:b\n  | filtre x', 'Error at 2:5: ..', 12],
    ['\n  get foo', 'Error at 1:5: ..', 7],
    ['get "🦀" x', 'Error at 1:9: ..', 9],
    ['get', 'Error at 1:40: ..', 3],
  ])('of %j with %j is %d', (query, message, offset) => {
    expect(oxqlErrorPlace(query, message)?.offset).toBe(offset)
  })

  it('is unknown where a message names none', () => {
    expect(oxqlErrorPlace('get a:b', 'Timeseries not found for: a:b')).toBeUndefined()
  })
})
