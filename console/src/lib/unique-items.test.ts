import { describe, expect, it } from 'vitest'

import { validateUniqueItems } from './unique-items'

describe('validateUniqueItems', () => {
  it('finds a repeated item', () => {
    expect(validateUniqueItems([])).toBeUndefined()
    expect(validateUniqueItems(['a', 'b'])).toBeUndefined()
    expect(validateUniqueItems(['a', 'b', 'a'])).toBe('Items must be unique')
  })

  it('compares by key', () => {
    const items = [{ id: 1 }, { id: 1 }]
    expect(validateUniqueItems(items)).toBeUndefined()
    expect(validateUniqueItems(items, (item) => item.id)).toBe('Items must be unique')
  })
})
