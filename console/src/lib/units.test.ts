import { describe, expect, it } from 'vitest'

import {
  bytesToGib,
  bytesToParts,
  bytesToTib,
  formatBytes,
  GIB,
  KIB,
  MIB,
  roundUpToTenGib,
  TIB,
} from './units'

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1023 B'],
    [KIB, '1 KiB'],
    [1536, '1.5 KiB'],
    [4 * GIB, '4 GiB'],
    [1.25 * TIB, '1.25 TiB'],
    [1000 * GIB, '1000 GiB'],
    [234.567 * MIB, '234.57 MiB'],
    [GIB - 1, '1 GiB'],
    [-4 * GIB, '-4 GiB'],
    [2 ** 80, '1 YiB'],
    [2 ** 90, '1024 YiB'],
  ])('shows %d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it('never shows 1024 of a unit that has a next one', () => {
    for (let power = 10; power < 80; power += 1) {
      for (const delta of [-1, 0, 1]) {
        const { value } = bytesToParts(2 ** power + delta)
        expect(Number(value)).toBeLessThan(1024)
        expect(Number(value)).toBeGreaterThan(0)
      }
    }
  })
})

describe('bytesToGib and bytesToTib', () => {
  it('round to two decimals', () => {
    expect(bytesToGib(4 * GIB)).toBe(4)
    expect(bytesToGib(1.005 * GIB)).toBeCloseTo(1.01, 10)
    expect(bytesToTib(4.3 * TIB)).toBe(4.3)
    expect(bytesToTib(300 * GIB)).toBe(0.29)
  })
})

describe('roundUpToTenGib', () => {
  it.each([
    [0, 0],
    [1, 10],
    [9.5, 10],
    [10, 10],
    [11, 20],
    [1020, 1020],
    [1021, 1023],
    [1023, 1023],
    [5000, 1023],
  ])('rounds %d up to %d', (size, rounded) => {
    expect(roundUpToTenGib(size)).toBe(rounded)
  })

  it('never gives less than the size nor ten or more above it', () => {
    for (let size = 0; size <= 1023; size += 1) {
      const rounded = roundUpToTenGib(size)
      expect(rounded).toBeGreaterThanOrEqual(size)
      expect(rounded - size).toBeLessThan(10)
    }
  })
})
