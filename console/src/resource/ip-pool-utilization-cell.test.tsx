import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import { hasAddresses, ipPoolAddresses } from './ip-pool-utilization'
import { AddressesInUse } from './ip-pool-utilization-cell'

const addresses = (v4: [number, number], v6: [string, string]) =>
  ipPoolAddresses({
    ipv4: { allocated: v4[0], capacity: v4[1] },
    ipv6: { allocated: v6[0], capacity: v6[1] },
  })

const WHOLE_INTERFACE = '18446744073709551615'

describe('the addresses of a pool', () => {
  it('are exact, however many there are', () => {
    expect(addresses([7, 24], ['1', WHOLE_INTERFACE])).toEqual({
      v4: { allocated: 7, capacity: 24 },
      v6: { allocated: 1n, capacity: 2n ** 64n - 1n },
    })
  })

  it('are there as soon as either version has any', () => {
    expect(hasAddresses(addresses([0, 0], ['0', '0']))).toBe(false)
    expect(hasAddresses(addresses([0, 1], ['0', '0']))).toBe(true)
    expect(hasAddresses(addresses([0, 0], ['0', '32']))).toBe(true)
  })

  it.each([
    [[7, 24], ['0', '0'], '7 / 24'],
    [[0, 0], ['0', '0'], '0 / 0'],
    [[0, 0], ['0', '32'], 'v40 / 0v60 / 32'],
    [[0, 207], ['0', WHOLE_INTERFACE], 'v40 / 207v60 / 18.4e18'],
    [[3, 1_048_576], ['0', '0'], '3 / 1M'],
  ] as const)('are shown by version once there is one of IPv6: %j %j', (v4, v6, text) => {
    const { container } = render(<AddressesInUse {...addresses([...v4], [...v6])} />)
    expect(container.textContent).toBe(text)
  })
})
