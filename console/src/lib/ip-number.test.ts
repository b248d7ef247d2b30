import { expect, it } from 'vitest'

import { rangeSize } from './ip-number'

it.each([
  ['10.0.0.9', '10.0.0.10', 2n],
  ['0.0.0.0', '255.255.255.255', 2n ** 32n],
  ['fd00::1', 'fd00::1', 1n],
  ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 2n ** 128n],
])('%s to %s are %s addresses', (first, last, size) => {
  expect(rangeSize(first, last)).toBe(size)
})
