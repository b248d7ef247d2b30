import { describe, expect, it } from 'vitest'

import { oxqlTokens } from './oxql-tokens'

const kinds = (query: string) =>
  oxqlTokens(query)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text }) => `${kind} ${text}`)

describe('oxqlTokens', () => {
  it('tells the parts of a query apart', () => {
    expect(
      kinds('get a_b:c2 | filter x == "y z" && timestamp >= @now() - 5m | align mean_within(60s)'),
    ).toEqual([
      'keyword get',
      'name a_b:c2',
      'operator |',
      'keyword filter',
      'field x',
      'operator ==',
      'string "y z"',
      'operator &&',
      'field timestamp',
      'operator >=',
      'timestamp @now()',
      'operator -',
      'number 5m',
      'operator |',
      'keyword align',
      'function mean_within',
      'operator (',
      'number 60s',
      'operator )',
    ])
  })

  it.each([
    '',
    'get',
    '"open',
    "it's",
    '@2026-01-01T00:00:00.000',
    '§ # \\ 🦀',
    '{ get a:b; get c:d }',
  ])('loses nothing of %j', (query) => {
    expect(
      oxqlTokens(query)
        .map(({ text }) => text)
        .join(''),
    ).toBe(query)
  })
})
