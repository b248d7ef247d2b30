import { describe, expect, it } from 'vitest'

import { validateIpv6Prefix, vpcCreateBody, vpcUpdateBody } from './vpc-form'

const values = { name: 'prod', description: '', dnsName: 'prod', ipv6Prefix: '' }

describe('vpcCreateBody', () => {
  it('sends a prefix only when there is one', () => {
    expect(vpcCreateBody(values).ipv6Prefix).toBeUndefined()
    expect(vpcCreateBody({ ...values, ipv6Prefix: '  ' }).ipv6Prefix).toBeUndefined()
    expect(vpcCreateBody({ ...values, ipv6Prefix: ' fd12::/48 ' })).toEqual({
      ...values,
      ipv6Prefix: 'fd12::/48',
    })
  })
})

describe('vpcUpdateBody', () => {
  it('leaves a cleared DNS name out', () => {
    const { ipv6Prefix: _, ...rest } = values
    expect(vpcUpdateBody({ ...rest, dnsName: '' }).dnsName).toBeUndefined()
    expect(vpcUpdateBody(rest)).toEqual(rest)
  })
})

describe('validateIpv6Prefix', () => {
  it.each(['', '  ', 'fd12:3456:789a::/48', ' FDAA::/48 '])('accepts %j', (text) => {
    expect(validateIpv6Prefix(text)).toBeUndefined()
  })

  it.each([
    ['fd12::', 'Must contain an IP address and a width, separated by a /'],
    ['junk/48', 'Must contain an IP address and a width, separated by a /'],
    ['fd12::/a', 'Width must be an integer'],
    ['fd12::/129', 'Max width for IPv6 is 128'],
    ['10.0.0.0/8', 'Must be a unique-local IPv6 network, in fd00::/8'],
    ['fc00::/48', 'Must be a unique-local IPv6 network, in fd00::/8'],
    ['fd::/48', 'Must be a unique-local IPv6 network, in fd00::/8'],
    ['2001:db8::/48', 'Must be a unique-local IPv6 network, in fd00::/8'],
    ['fd12::/64', 'Width must be 48'],
  ])('refuses %j', (text, message) => {
    expect(validateIpv6Prefix(text)).toBe(message)
  })
})
