import { describe, expect, it } from 'vitest'

import { normaliseRangeDashes, parsePortRange, validatePortRange } from './port-range'

describe('parsePortRange', () => {
  it.each([
    ['0', 0, 0],
    ['22', 22, 22],
    [' 80 ', 80, 80],
    ['5-5', 5, 5],
    ['1-45690', 1, 45_690],
    ['65535', 65_535, 65_535],
  ])('reads %j', (text, first, last) => {
    expect(parsePortRange(text)).toEqual({ first, last })
  })

  it.each([
    '',
    '-',
    '1-',
    '-1',
    '123-45',
    '12a5',
    '123456',
    '1-123456',
    '65536',
    '1-65536',
    '1 - 2',
    '1-2-3',
    '1–2',
  ])('refuses %j', (text) => {
    expect(validatePortRange(text)).toBe('Not a valid port range')
  })

  it('accepts a pair exactly when its end is not lower', () => {
    for (let first = 0; first < 120; first += 7) {
      for (let last = 0; last < 120; last += 5) {
        expect(parsePortRange(`${first}-${last}`)).toEqual(
          last >= first ? { first, last } : undefined,
        )
      }
    }
  })
})

describe('normaliseRangeDashes', () => {
  it('makes one hyphen of any dashes', () => {
    expect(normaliseRangeDashes('1–2')).toBe('1-2')
    expect(normaliseRangeDashes('1—2')).toBe('1-2')
    expect(normaliseRangeDashes('1-–—-2')).toBe('1-2')
    expect(normaliseRangeDashes('12')).toBe('12')
  })
})
