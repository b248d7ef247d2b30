import { describe, expect, it } from 'vitest'

import { generateName, MAX_NAME_LENGTH } from './generate-name'
import { validateName } from './validate-name'

const long = (letter: string): string => letter.repeat(80)

describe('generateName', () => {
  it('appends six random digits', () => {
    expect(generateName('web')).toMatch(/^web-[0-9a-f]{6}$/)
    expect(generateName('web', 'disk')).toMatch(/^web-disk-[0-9a-f]{6}$/)
  })

  it('gives every part the same room', () => {
    expect(
      generateName(long('a'))
        .split('-')
        .map((part) => part.length),
    ).toEqual([56, 6])
    expect(
      generateName(long('a'), long('b'))
        .split('-')
        .map((part) => part.length),
    ).toEqual([27, 27, 6])
    const three = generateName(long('a'), long('b'), long('c'))
    expect(three.split('-').map((part) => part.length)).toEqual([18, 18, 18, 6])
  })

  it('is always a valid name within the limit', () => {
    for (let count = 1; count <= 6; count += 1) {
      for (let length = 1; length <= 70; length += 3) {
        const parts = Array.from({ length: count - 1 }, () => 'n'.repeat(length))
        const name = generateName('n'.repeat(length), ...parts)
        expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH)
        expect(validateName(name)).toBeUndefined()
      }
    }
  })

  it('does not repeat itself', () => {
    const names = new Set(Array.from({ length: 50 }, () => generateName('web')))
    expect(names.size).toBeGreaterThan(45)
  })
})
