import { expect, it } from 'vitest'

import type { ReachabilityChange, ReachabilityPeer } from '~/api/generated/types.gen'

import { connections, peerText } from './changed-connections'

const peer = (name: string): ReachabilityPeer => ({
  type: 'interface',
  value: { id: `nic-of-${name}`, name: 'net0', ip: '172.30.0.5', instance: { id: name, name } },
})

const outside = (network: string | null): ReachabilityPeer => ({
  type: 'outside',
  network,
  address: '192.0.2.1',
})

function change(parts: Partial<ReachabilityChange>): ReachabilityChange {
  return {
    source: peer('web'),
    destination: peer('db'),
    protocol: 'tcp',
    ports: null,
    icmp: null,
    before: { verdict: 'allowed', summary: 'Allowed: it passes.' },
    after: { verdict: 'denied', summary: 'Denied: it does not.' },
    ...parts,
  }
}

const allPorts = { first: 1, last: 65_535 }
const ping = { icmpType: 8, code: 0 }

it('puts the traffic of a pair with the same outcome into one line', () => {
  const groups = connections([
    change({ ports: { first: 443, last: 443 } }),
    change({ ports: { first: 5000, last: 6000 }, protocol: 'udp' }),
    change({ protocol: 'icmp', icmp: { icmpType: 3, code: 4 } }),
    change({ ports: allPorts, source: peer('lone') }),
  ])
  expect(groups.map(({ traffic }) => traffic)).toEqual([
    'TCP 443, UDP 5000–6000, ICMP type 3, code 4',
    'TCP',
  ])
})

it('keeps outcomes apart', () => {
  const opened = { verdict: 'allowed', summary: '' } as const
  const groups = connections([
    change({ ports: allPorts }),
    change({ after: opened, ports: allPorts }),
  ])
  expect(groups).toHaveLength(2)
})

it('calls it all traffic when nothing is left out', () => {
  const all = [
    change({ ports: allPorts }),
    change({ ports: allPorts, protocol: 'udp' }),
    change({ protocol: 'icmp', icmp: ping }),
    change({ protocol: 'other' }),
  ]
  expect(connections(all)[0]?.traffic).toBe('All traffic')
  expect(connections(all.slice(0, 3))[0]?.traffic).toBe('TCP, UDP, ping')
})

it('names networks outside, and one address without the length of its prefix', () => {
  expect(peerText(outside('192.0.2.0/24'))).toBe('192.0.2.0/24')
  expect(peerText(outside('192.0.2.1/32'))).toBe('192.0.2.1')
  expect(peerText(outside(null))).toBe('other addresses outside the VPC')
})
