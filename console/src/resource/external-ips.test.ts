import { describe, expect, it } from 'vitest'

import type { ExternalIp } from '~/api/generated/types.gen'

import { externalIpKey, inIpOrder, preferredIp, reachableIps, urlHost } from './external-ips'

const snat = (firstPort: number) =>
  ({ kind: 'snat', ip: '10.0.0.9', ipPoolId: 'p', firstPort, lastPort: firstPort + 16383 }) as const
const ephemeral = { kind: 'ephemeral', ip: '10.0.0.1', ipPoolId: 'p' } as const
const floating = (name: string, ip: string) => ({ kind: 'floating', name, ip }) as ExternalIp

describe('external addresses', () => {
  const ips = [snat(0), ephemeral, floating('b', '10.0.0.3'), floating('a', '10.0.0.2')]

  it('stand floating, ephemeral, source NAT; otherwise as they came', () => {
    expect(inIpOrder(ips).map(({ ip }) => ip)).toEqual([
      '10.0.0.3',
      '10.0.0.2',
      '10.0.0.1',
      '10.0.0.9',
    ])
  })

  it('are reachable unless they are source NAT', () => {
    expect(reachableIps(ips).map(({ kind }) => kind)).toEqual(['floating', 'floating', 'ephemeral'])
    expect(preferredIp([snat(0), ephemeral])).toBe('10.0.0.1')
    expect(preferredIp([snat(0)])).toBeUndefined()
  })

  it('keep source NAT blocks of one address apart', () => {
    expect(externalIpKey(snat(0))).not.toBe(externalIpKey(snat(16384)))
  })

  it('are bracketed in URLs where they need it', () => {
    expect(urlHost('10.0.0.1')).toBe('10.0.0.1')
    expect(urlHost('fd00::1')).toBe('[fd00::1]')
  })
})
