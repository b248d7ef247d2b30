import { expect, it } from 'vitest'

import { shareStructure } from './share-structure'

const disk = (id: string, size: number) => ({
  id,
  size,
  timeCreated: new Date('2026-02-28T11:00:00Z'),
  state: { state: 'attached', instance: 'i1' },
})

const page = (...items: unknown[]) => ({ items, nextPage: null })

it('gives the answer before for one that says the same', () => {
  const before = page(disk('a', 1), disk('b', 2))
  expect(shareStructure(before, page(disk('a', 1), disk('b', 2)))).toBe(before)
})

it('keeps the rows that have not changed, wherever they are now', () => {
  const before = page(disk('a', 1), disk('b', 2))
  const after = page(disk('new', 3), disk('a', 1), disk('b', 4))
  const shared = shareStructure(before, after) as typeof before
  expect(shared).toEqual(after)
  expect(shared.items[1]).toBe(before.items[0])
  expect(shared.items[2]).not.toBe(before.items[1])
  expect((shared.items[2] as ReturnType<typeof disk>).state).toBe(
    (before.items[1] as ReturnType<typeof disk>).state,
  )
})

it('tells apart another time, a missing field, and a value of another kind', () => {
  const at = (time: string) => ({ at: new Date(time) })
  const noon = at('2026-02-28T12:00:00Z')
  expect(shareStructure(noon, at('2026-02-28T12:00:00Z'))).toBe(noon)
  expect(shareStructure(noon, at('2026-02-28T12:00:01Z'))).not.toBe(noon)
  const gone = { a: 1, b: undefined }
  expect(shareStructure(gone, { a: 1 })).toEqual({ a: 1 })
  expect('b' in (shareStructure(gone, { a: 1 }) as object)).toBe(false)
  expect(shareStructure({ b: undefined }, { a: undefined })).toEqual({ a: undefined })
  expect(shareStructure([1, 2], { 0: 1, 1: 2 })).toEqual({ 0: 1, 1: 2 })
  expect(shareStructure(undefined, [1])).toEqual([1])
})
