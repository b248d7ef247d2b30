import { expect, it } from 'vitest'

import { isOverlapping } from './ip-overlap'

it.each([
  ['10.0.0.0/16', '10.0.3.0/24', true],
  ['10.0.3.0/24', '10.0.0.0/16', true],
  ['10.0.0.0/24', '10.0.1.0/24', false],
  ['0.0.0.0/0', '10.0.1.0/24', true],
  ['fd00::/48', 'fd00:0:0:1::/64', true],
  ['fd00::/64', 'fd00:0:0:1::/64', false],
  ['10.0.0.0/8', 'fd00::/8', false],
  ['10.0.0.0/8', 'nothing', false],
])('%s and %s: %s', (one, other, expected) => {
  expect(isOverlapping(one, other)).toBe(expected)
})
