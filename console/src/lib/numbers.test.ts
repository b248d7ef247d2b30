import { describe, expect, it } from 'vitest'

import { formatBigNumber, percentOf, roundTo, splitDecimal } from './numbers'

describe('roundTo', () => {
  it.each([
    [0, 2, 0],
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [1.5, 0, 2],
    [-1.5, 0, -2],
    [1234.5678, 2, 1234.57],
    [2.999, 2, 3],
    [1e21, 2, 1e21],
    [Number.POSITIVE_INFINITY, 2, Number.POSITIVE_INFINITY],
  ])('rounds %d to %d decimals as %d', (value, digits, rounded) => {
    expect(roundTo(value, digits)).toBe(rounded)
  })

  it('keeps what is no number', () => {
    expect(roundTo(Number.NaN, 2)).toBeNaN()
  })

  it('changes nothing when applied twice and stays within half a step', () => {
    for (let step = -500; step <= 500; step += 1) {
      const value = step * 0.137
      const rounded = roundTo(value, 1)
      expect(roundTo(rounded, 1)).toBe(rounded)
      expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.05 + Number.EPSILON * 100)
    }
  })
})

describe('percentOf', () => {
  it('divides numbers', () => {
    expect(percentOf(30, 50)).toBe(60)
    expect(percentOf(0, 0)).toBeNaN()
  })

  it('truncates big integers to two decimals', () => {
    expect(percentOf(2n ** 80n, (9n * 2n ** 81n) / 7n)).toBe(38.88)
    expect(percentOf(1n, 3n)).toBe(33.33)
  })

  it('throws for an empty whole of big integers', () => {
    expect(() => percentOf(1n, 0n)).toThrow(RangeError)
  })
})

describe('splitDecimal', () => {
  it.each([
    [1, '1', ''],
    [4.997, '5', ''],
    [1000.5, '1,000', '.5'],
    [-0.25, '-0', '.25'],
  ])('splits %d', (value, whole, decimal) => {
    expect(splitDecimal(value, 'en-US')).toEqual({ whole, decimal })
  })

  it('follows the locale', () => {
    expect(splitDecimal(1000.5, 'de-DE')).toEqual({ whole: '1.000', decimal: ',5' })
  })
})

describe('formatBigNumber', () => {
  it.each([
    [0, '0'],
    [999_999, '999,999'],
    [1_000_000, '1M'],
    [1_234_567, '1.2M'],
    [-1_234_567, '-1.2M'],
    [492_000_000_000, '492B'],
    [894_300_000_000_000, '894.3T'],
    [1_343_000_000_000_000, '1.3e15'],
    [18_446_744_073_709_551_616n, '18.4e18'],
    [23_100_000_000_000_000_000_000_000_000n, '23.1e27'],
    [1024n, '1,024'],
  ])('shows %s as %s', (value, text) => {
    expect(formatBigNumber(value, 'en-US').text).toBe(text)
  })

  it('keeps the exact number of an abbreviated one', () => {
    expect(formatBigNumber(2n ** 64n, 'en-US')).toEqual({
      text: '18.4e18',
      full: '18,446,744,073,709,551,616',
      abbreviated: true,
    })
    expect(formatBigNumber(12, 'en-US').abbreviated).toBe(false)
  })

  it('follows the locale', () => {
    expect(formatBigNumber(1_234_567, 'de-DE').text).toBe('1,2\u00a0Mio.')
    expect(formatBigNumber(18_446_744_073_709_551_616n, 'de-DE').text).toBe('18,4e18')
  })

  it('abbreviates exactly from one million on, for numbers and big integers alike', () => {
    for (let exponent = 0; exponent < 15; exponent += 1) {
      const value = 10 ** exponent
      expect(formatBigNumber(value, 'en-US').abbreviated).toBe(exponent >= 6)
      expect(formatBigNumber(BigInt(value), 'en-US')).toEqual(formatBigNumber(value, 'en-US'))
    }
  })
})
