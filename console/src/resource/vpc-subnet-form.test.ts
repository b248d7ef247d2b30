import { describe, expect, it } from 'vitest'

import type { VpcRouter } from '~/api/generated/types.gen'

import { customRouterOptions } from './custom-router-field'
import {
  NO_ROUTER,
  SUBNET_FORM_DEFAULTS,
  subnetBody,
  subnetChanges,
  validateBlock,
} from './vpc-subnet-form'

const entered = { ...SUBNET_FORM_DEFAULTS, name: 'web', ipv4Block: ' 10.0.1.0/24 ' }

describe('a subnet that is made', () => {
  it('has no IPv6 block and no router unless they are entered', () => {
    expect(subnetBody({ ...entered, ipv6Block: '  ' })).toEqual({
      name: 'web',
      description: '',
      ipv4Block: '10.0.1.0/24',
      ipv6Block: undefined,
      customRouter: undefined,
    })
  })

  it('has what is entered, without the spaces around it', () => {
    const body = subnetBody({ ...entered, ipv6Block: ' fd00::/64 ', customRouter: 'r-1' })
    expect(body).toMatchObject({ ipv6Block: 'fd00::/64', customRouter: 'r-1' })
  })
})

describe('a subnet that is changed', () => {
  const name = { name: 'web', description: '' }

  it('names its router again, which would be detached otherwise', () => {
    expect(subnetChanges({ ...name, customRouter: 'r-1' })).toEqual({
      ...name,
      customRouter: 'r-1',
    })
  })

  it('loses its router when none is chosen', () => {
    expect(subnetChanges({ ...name, customRouter: NO_ROUTER }).customRouter).toBeUndefined()
  })
})

describe('a block', () => {
  it.each([
    ['10.0.0.0/16', 'v4', undefined],
    [' 10.0.0.0/16 ', 'v4', undefined],
    ['fd00::/64', 'v6', undefined],
    ['fd00::/64', 'v4', 'Must be an IPv4 network'],
    ['10.0.0.0/16', 'v6', 'Must be an IPv6 network'],
    ['10.0.0.0', 'v4', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/33', 'v4', 'Max width for IPv4 is 32'],
  ] as const)('%j as %s: %s', (text, version, message) => {
    expect(validateBlock(text, version)).toBe(message)
  })
})

describe('the routers to choose from', () => {
  const router = (name: string, kind: VpcRouter['kind'] = 'custom') =>
    ({ id: `id-of-${name}`, name, kind, description: '' }) as VpcRouter

  it('are none, then the custom ones by name', () => {
    const options = customRouterOptions([
      router('west'),
      router('system', 'system'),
      router('east'),
    ])
    expect(options.map(({ label }) => label)).toEqual(['None', 'east', 'west'])
    expect(options[1]?.value).toBe('id-of-east')
  })

  it('keep the present one, though it is not listed', () => {
    expect(customRouterOptions([], 'gone').map(({ value }) => value)).toEqual([NO_ROUTER, 'gone'])
    expect(customRouterOptions([router('east')], 'id-of-east')).toHaveLength(2)
  })
})
