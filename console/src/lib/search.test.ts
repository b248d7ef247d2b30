import { describe, expect, it } from 'vitest'

import { parseSearch, stringifySearch } from './search'

describe('search parameters', () => {
  it.each(['?pageToken=50', '?tab=ip-pools&pageToken=eyJ2IjoidjEifQ%3D%3D', ''])(
    '%s comes back as it was',
    (text) => {
      expect(stringifySearch(parseSearch(text))).toBe(text)
    },
  )

  it('leaves out what is not there', () => {
    expect(stringifySearch({ pageToken: undefined, tab: null, limit: 5 })).toBe('?limit=5')
  })
})
