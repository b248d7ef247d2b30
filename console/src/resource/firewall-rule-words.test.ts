import { describe, expect, it } from 'vitest'

import { NEW_RULE } from './firewall-rule-form'
import { inboundTraffic, NO_TARGETS, ruleInWords } from './firewall-rule-words'

const prod = { type: 'vpc', value: 'prod' } as const

describe('ruleInWords', () => {
  it('says that a rule without targets is for nobody', () => {
    expect(ruleInWords(NEW_RULE)).toBe(NO_TARGETS)
    expect(ruleInWords({ ...NEW_RULE, ports: ['22'] })).toBe(NO_TARGETS)
  })

  it.each([
    [
      'everything',
      { targets: [prod] },
      'Allows inbound traffic of any kind from anywhere to every instance in VPC prod.',
    ],
    [
      'a port',
      { targets: [prod], protocols: [{ type: 'tcp' as const }], ports: ['443'] },
      'Allows inbound TCP traffic on port 443 from anywhere to every instance in VPC prod.',
    ],
    [
      'a protocol without ports',
      { targets: [prod], protocols: [{ type: 'udp' as const }, { type: 'tcp' as const }] },
      'Allows inbound UDP or TCP traffic on any port from anywhere to every instance in VPC prod.',
    ],
    [
      'ICMP, which has no ports',
      { targets: [prod], protocols: [{ type: 'icmp' as const, value: null }] },
      'Allows inbound ICMP (All types) traffic from anywhere to every instance in VPC prod.',
    ],
    [
      'what leaves',
      {
        action: 'deny' as const,
        direction: 'outbound' as const,
        targets: [{ type: 'instance' as const, value: 'db' }],
        hosts: [
          { type: 'ip_net' as const, value: '10.0.0.0/8' },
          { type: 'subnet' as const, value: 'back' },
        ],
        ports: ['80', '8000-8100'],
      },
      'Denies outbound traffic of any kind on ports 80 or 8000-8100 from instance db to 10.0.0.0/8 or subnet back.',
    ],
    [
      'a disabled one',
      { enabled: false, targets: [{ type: 'ip' as const, value: '10.0.0.1' }] },
      'Allows inbound traffic of any kind from anywhere to the instance at 10.0.0.1. It is disabled, so it has no effect.',
    ],
  ])('tells %s', (_, changes, words) => {
    expect(ruleInWords({ ...NEW_RULE, ...changes })).toBe(words)
  })

  it('names no more parts than can be read', () => {
    const ports = ['1', '2', '3', '4', '5', '6', '7']
    expect(ruleInWords({ ...NEW_RULE, targets: [prod], ports })).toContain(
      'on ports 1, 2, 3, 4, 5, or 2 others',
    )
  })
})

describe('inboundTraffic', () => {
  it('says what comes in and from where', () => {
    const tcp = [{ type: 'tcp' as const }]
    expect(inboundTraffic({ protocols: tcp, ports: ['22'], hosts: [] })).toBe(
      'TCP traffic on port 22 from anywhere',
    )
    const hosts = ['10.0.0.0/8', '192.168.0.0/16']
    expect(inboundTraffic({ protocols: [], ports: [], hosts })).toBe(
      'traffic of any kind from 10.0.0.0/8 or 192.168.0.0/16',
    )
  })
})
