import { describe, expect, it } from 'vitest'

import { icmpTypeLabel, parseIcmpType, validateIcmpCode, validateIcmpType } from './icmp'

describe('parseIcmpType', () => {
  it.each([
    ['0', 0],
    ['8', 8],
    ['255', 255],
    [' 3 ', 3],
  ])('reads %j', (text, type) => {
    expect(parseIcmpType(text)).toBe(type)
    expect(validateIcmpType(text)).toBeUndefined()
  })

  it.each(['256', '-1', '3abc', 'abc', '1.5', '1e2', '0x10', '1 2', '+3'])('refuses %j', (text) => {
    expect(parseIcmpType(text)).toBeUndefined()
    expect(validateIcmpType(text)).toBe('ICMP type must be a number between 0 and 255')
  })

  it('lets a blank stand for all types', () => {
    expect(validateIcmpType('')).toBeUndefined()
    expect(validateIcmpType(' ')).toBeUndefined()
  })
})

describe('validateIcmpCode', () => {
  it.each(['', ' ', '0', '255', '0-255', '5-5', ' 1-3 ', '007'])('accepts %j', (text) => {
    expect(validateIcmpCode(text)).toBeUndefined()
  })

  it.each([
    ['256', 'ICMP code must be between 0 and 255'],
    ['99999', 'ICMP code must be between 0 and 255'],
    ['256-300', 'ICMP code range start must be between 0 and 255'],
    ['1-256', 'ICMP code range end must be between 0 and 255'],
    ['5-3', 'ICMP code range start must be less than or equal to range end'],
    ['abc', 'ICMP code must be a number or numeric range'],
    ['3abc', 'ICMP code must be a number or numeric range'],
    ['-1', 'ICMP code must be a number or numeric range'],
    ['1-', 'ICMP code must be a number or numeric range'],
    ['1-2-3', 'ICMP code must be a number or numeric range'],
    ['1 - 2', 'ICMP code must be a number or numeric range'],
    ['1.5', 'ICMP code must be a number or numeric range'],
  ])('refuses %j', (text, message) => {
    expect(validateIcmpCode(text)).toBe(message)
  })
})

describe('icmpTypeLabel', () => {
  it('names the types that have a name', () => {
    expect(icmpTypeLabel(0)).toBe('0 - Echo Reply')
    expect(icmpTypeLabel(14)).toBe('14 - Timestamp Reply')
    expect(icmpTypeLabel(42)).toBe('42 - Type 42')
  })
})
