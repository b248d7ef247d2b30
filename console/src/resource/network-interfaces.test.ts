import { expect, it } from 'vitest'

import { interfaceLimitRefusal } from './network-interfaces'

it('says from the eighth interface on why there can be no other', () => {
  expect(interfaceLimitRefusal(7)).toBeUndefined()
  expect(interfaceLimitRefusal(8)).toBe('An instance can have at most 8 network interfaces')
})
