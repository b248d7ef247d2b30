import { describe, expect, it } from 'vitest'

import { validateDescription, validateName } from './validate-name'

describe('validateName', () => {
  it.each([
    ['', 'Disk name is required'],
    ['a'.repeat(64), 'Must be 63 characters or fewer'],
    ['A'.repeat(64), 'Must be 63 characters or fewer'],
    ['Web', 'Can only contain lower-case letters, numbers, and dashes'],
    [' web', 'Can only contain lower-case letters, numbers, and dashes'],
    ['web_1', 'Can only contain lower-case letters, numbers, and dashes'],
    ['wéb', 'Can only contain lower-case letters, numbers, and dashes'],
    ['web\n', 'Can only contain lower-case letters, numbers, and dashes'],
    ['1web', 'Must start with a lower-case letter'],
    ['-web-', 'Must start with a lower-case letter'],
    ['web-', 'Must end with a letter or number'],
    ['aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee', 'Must not be in the form of a UUID'],
  ])('refuses %j', (name, message) => {
    expect(validateName(name, 'Disk name')).toBe(message)
  })

  it.each(['a', 'web', 'web-1', 'a--b', 'a'.repeat(63), 'x1'])('accepts %j', (name) => {
    expect(validateName(name)).toBeUndefined()
  })

  it('allows an optional name to be empty', () => {
    expect(validateName('', 'Name', false)).toBeUndefined()
    expect(validateName('-', 'Name', false)).toBe('Must start with a lower-case letter')
  })

  it('agrees with the pattern of the wire for all short texts', () => {
    const alphabet = ['a', 'z', '0', '-', 'A', '_']
    const texts = alphabet.flatMap((a) => alphabet.flatMap((b) => alphabet.map((c) => a + b + c)))
    for (const text of texts) {
      const valid = /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(text)
      expect(validateName(text) === undefined, text).toBe(valid)
    }
  })
})

describe('validateDescription', () => {
  it('limits the length', () => {
    expect(validateDescription('')).toBeUndefined()
    expect(validateDescription('x'.repeat(512))).toBeUndefined()
    expect(validateDescription('x'.repeat(513))).toBe(
      'A description must be no longer than 512 characters',
    )
  })
})
