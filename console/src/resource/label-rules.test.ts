import { describe, expect, test } from 'vitest'

import * as text from '~/messages/labels'

import {
  keyMistake,
  labelMistakes,
  requirementsOf,
  valueMistake,
  withoutRequirement,
  withRequirement,
} from './label-rules'

describe('keys and values', () => {
  test('follow the rules of the server', () => {
    for (const key of ['a', 'A-b_c.9', 'example.com/tier', 'k'.repeat(63), 'a.b-c.d/Name'])
      expect(keyMistake(key), key).toBeUndefined()
    for (const key of ['-a', 'a-', 'a b', 'a=b', 'ä', 'a/', 'a/b/c', 'k'.repeat(64), 'a\n'])
      expect(keyMistake(key), key).toBe(text.keyError)
    for (const key of ['/a', 'Example.com/a', 'a..b/c', `${'a.'.repeat(126)}aa/k`])
      expect(keyMistake(key), key).toBe(text.keyPrefixError)
    expect(keyMistake('')).toBe(text.keyMissingError)
    for (const value of ['', 'prod', '1.2.3', 'v'.repeat(63)])
      expect(valueMistake(value), value).toBeUndefined()
    for (const value of ['-', 'a ', 'a,b', 'v'.repeat(64), '\u{202e}'])
      expect(valueMistake(value), value).toBe(text.valueError)
  })

  test('mistakes are said at the label that makes them', () => {
    const labels = [
      { key: 'env', value: 'prod' },
      { key: '', value: '' },
      { key: 'env', value: 'a b' },
      { key: '', value: 'x' },
    ]
    expect(labelMistakes(labels)).toEqual([
      {},
      {},
      { key: text.keyTakenError, value: text.valueError },
      { key: text.keyMissingError },
    ])
  })
})

test('selectors gain and lose requirements', () => {
  expect(requirementsOf('env in (a,b), tier=web,,!zone')).toEqual([
    'env in (a,b)',
    'tier=web',
    '!zone',
  ])
  expect(withRequirement(undefined, 'env=prod')).toBe('env=prod')
  expect(withRequirement('env=prod', 'env=prod')).toBe('env=prod')
  expect(withRequirement('env=prod', 'tier')).toBe('env=prod,tier')
  expect(withoutRequirement('env=prod,tier', 'env=prod')).toBe('tier')
  expect(withoutRequirement('tier', 'tier')).toBe('')
})
