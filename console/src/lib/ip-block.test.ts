import { expect, it } from 'vitest'

import { isPrivateBlock, isWithin, rangesOverlap, usableAddresses } from './ip-block'

it.each([
  ['10.0.0.0/24', 250],
  ['10.0.0.0/26', 58],
  ['10.0.0.0/30', 0],
  ['fd00::/64', undefined],
  ['10.0.0', undefined],
])('counts what instances can have of %s', (block, count) => {
  expect(usableAddresses(block)).toBe(count)
})

it.each([
  ['10.1.0.0/16', true],
  ['172.31.0.0/24', true],
  ['172.32.0.0/24', false],
  ['192.168.1.0/24', true],
  ['8.8.8.0/24', false],
  ['fd00::/64', false],
])('tells whether %s is private', (block, isPrivate) => {
  expect(isPrivateBlock(block)).toBe(isPrivate)
})

it.each([
  ['fd00:1:2:3::/64', 'fd00:1:2::/48', true],
  ['fd00:1:3::/64', 'fd00:1:2::/48', false],
  ['fd00:1:2::/40', 'fd00:1:2::/48', false],
  ['10.0.0.0/24', 'fd00:1:2::/48', false],
  ['', 'fd00:1:2::/48', false],
])('tells whether %s is in %s', (inner, outer, isIn) => {
  expect(isWithin(inner, outer)).toBe(isIn)
})

const range = (first: string, last: string) => ({ first, last })

it.each([
  [range('10.0.0.1', '10.0.0.9'), range('10.0.0.9', '10.0.0.20'), true],
  [range('10.0.0.1', '10.0.0.8'), range('10.0.0.9', '10.0.0.20'), false],
  [range('10.0.0.1', '10.0.0.100'), range('10.0.0.20', '10.0.0.30'), true],
  [range('fd00::1', 'fd00::9'), range('10.0.0.9', '10.0.0.20'), false],
])('tells whether ranges overlap: %o, %o', (one, other, overlap) => {
  expect(rangesOverlap(one, other)).toBe(overlap)
  expect(rangesOverlap(other, one)).toBe(overlap)
})
