import { describe, expect, it } from 'vitest'

import type { VpcFirewallRule, VpcFirewallRuleProtocol } from '~/api/generated/types.gen'

import {
  byPriority,
  endpointText,
  filterTexts,
  foreignVpcs,
  isSameProtocol,
  protocolText,
  ruleUpdate,
  withOwnVpc,
} from './firewall-rule'
import { cloneValues, NEW_RULE, NO_PROTOCOL, protocolOf, ruleBody } from './firewall-rule-form'

const rule = (over: Partial<VpcFirewallRule> = {}): VpcFirewallRule => ({
  id: 'r',
  vpcId: 'v',
  name: 'allow-ssh',
  description: '',
  status: 'enabled',
  action: 'allow',
  direction: 'inbound',
  priority: 65_534,
  targets: [{ type: 'vpc', value: 'default' }],
  filters: { hosts: null, ports: ['22'], protocols: [{ type: 'tcp' }] },
  timeCreated: new Date(0),
  timeModified: new Date(0),
  ...over,
})

const icmp = (icmpType: number, code?: string): VpcFirewallRuleProtocol => ({
  type: 'icmp',
  value: { icmpType, code },
})

describe('byPriority', () => {
  it('keeps the order of equal ones', () => {
    const rules = [rule({ name: 'b' }), rule({ name: 'a' }), rule({ name: 'c', priority: 5 })]
    expect(byPriority(rules).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  })
})

describe('ruleUpdate', () => {
  it('drops ids and times', () => {
    expect(Object.keys(ruleUpdate(rule())).toSorted()).toEqual([
      'action',
      'description',
      'direction',
      'filters',
      'name',
      'priority',
      'status',
      'targets',
    ])
  })
})

describe('protocolText', () => {
  it.each<[VpcFirewallRuleProtocol, string]>([
    [{ type: 'tcp' }, 'TCP'],
    [{ type: 'udp' }, 'UDP'],
    [{ type: 'icmp', value: null }, 'ICMP (All types)'],
    [icmp(0), 'ICMP 0 - Echo Reply'],
    [icmp(3, '0'), 'ICMP 3 - Destination Unreachable | Code 0'],
    [icmp(42, '1-3'), 'ICMP 42 - Type 42 | Code 1-3'],
  ])('%j', (protocol, text) => {
    expect(protocolText(protocol)).toBe(text)
  })

  it('tells protocols apart', () => {
    expect(isSameProtocol(icmp(3), icmp(3, '0'))).toBe(false)
    expect(isSameProtocol(icmp(3), { type: 'icmp', value: { icmpType: 3, code: null } })).toBe(true)
    expect(isSameProtocol({ type: 'icmp', value: null }, icmp(0))).toBe(false)
    expect(isSameProtocol({ type: 'tcp' }, { type: 'udp' })).toBe(false)
  })
})

it('says in words what a rule filters, and what it is about', () => {
  const hosts = [{ type: 'ip_net' as const, value: '10.0.0.0/8' }]
  const protocols = [{ type: 'tcp' as const }, icmp(0)]
  expect(filterTexts({ hosts, protocols, ports: ['22'] })).toEqual([
    'ip_net 10.0.0.0/8',
    'TCP',
    'ICMP 0 - Echo Reply',
    'Port 22',
  ])
  expect(filterTexts({ hosts: null, protocols: null, ports: null })).toEqual([])
  expect(endpointText({ type: 'vpc', value: 'default' })).toBe('vpc default')
})

describe('rules that mention another VPC', () => {
  const stale = rule({
    targets: [
      { type: 'vpc', value: 'old' },
      { type: 'vpc', value: 'prod' },
      { type: 'instance', value: 'old' },
    ],
    filters: { hosts: [{ type: 'vpc', value: 'older' }], ports: null, protocols: null },
  })

  it('are found', () => {
    expect(foreignVpcs([stale, stale], 'prod')).toEqual(['old', 'older'])
    expect(foreignVpcs([rule()], 'default')).toEqual([])
  })

  it('get their own VPC, once in each list', () => {
    const mended = withOwnVpc(stale, 'prod')
    expect(mended.targets).toEqual([
      { type: 'vpc', value: 'prod' },
      { type: 'instance', value: 'old' },
    ])
    expect(mended.filters).toEqual({
      hosts: [{ type: 'vpc', value: 'prod' }],
      ports: null,
      protocols: null,
    })
    expect(withOwnVpc(rule(), 'default').filters.hosts).toBeNull()
  })
})

describe('the form of a rule', () => {
  it('sends every list', () => {
    expect(ruleBody({ ...NEW_RULE, name: 'a', enabled: false })).toEqual({
      name: 'a',
      description: '',
      action: 'allow',
      direction: 'inbound',
      priority: 0,
      status: 'disabled',
      targets: [],
      filters: { hosts: [], ports: [], protocols: [] },
    })
  })

  it('begins a copy with another name, and one of nothing blank', () => {
    expect(cloneValues(rule())).toMatchObject({ name: 'allow-ssh-copy', hosts: [], ports: ['22'] })
    expect(cloneValues(undefined)).toEqual(NEW_RULE)
  })

  it.each([
    [NO_PROTOCOL, undefined],
    [{ protocol: 'tcp', icmpType: '3', icmpCode: '1' }, { type: 'tcp' }],
    [
      { protocol: 'icmp', icmpType: '', icmpCode: '1' },
      { type: 'icmp', value: null },
    ],
    [{ protocol: 'icmp', icmpType: ' 0 ', icmpCode: '' }, icmp(0)],
    [{ protocol: 'icmp', icmpType: '3', icmpCode: ' 0-5 ' }, icmp(3, '0-5')],
    [{ protocol: 'icmp', icmpType: '3', icmpCode: '0' }, icmp(3, '0')],
  ] as const)('reads the fields of a protocol: %j', (entry, protocol) => {
    expect(protocolOf(entry)).toEqual(protocol)
  })
})
