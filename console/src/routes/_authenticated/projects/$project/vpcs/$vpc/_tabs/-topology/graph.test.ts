import { describe, expect, it } from 'vitest'

import type {
  ExternalIp,
  InstanceNetworkInterface,
  InternetGateway,
  RouterRoute,
  VpcRouter,
  VpcSubnet,
} from '~/api/generated/types.gen'

import { instancesBySubnet, SUBNETS_SHOWN, topologyOf, unfoldedAtFirst } from './graph'
import type { VpcParts } from './graph'
import { layoutTopology } from './layout'

const vpc = { project: 'web', vpc: 'main' }

const system = { id: 'r-system', name: 'system', kind: 'system' } as VpcRouter
const custom = { id: 'r-dc', name: 'dc', kind: 'custom' } as VpcRouter
const gateway = { id: 'g', name: 'default' } as InternetGateway

const subnet = (name: string, customRouterId?: string) =>
  ({
    id: `s-${name}`,
    name,
    ipv4Block: '10.0.0.0/24',
    ipv6Block: 'fd00::/64',
    customRouterId,
  }) as VpcSubnet

const nic = (instance: string, subnetName: string, primary = true) =>
  ({
    id: `${instance}-${subnetName}`,
    instanceId: `i-${instance}`,
    subnetId: `s-${subnetName}`,
    name: primary ? 'net0' : 'net1',
    ip: '10.0.0.5',
    primary,
  }) as InstanceNetworkInterface

const route = (router: VpcRouter, parts: Partial<RouterRoute>) => ({
  router,
  route: { id: `${router.id}-${parts.name}`, kind: 'custom', ...parts } as RouterRoute,
})

const wayOut = route(system, {
  name: 'default-v4',
  kind: 'default',
  destination: { type: 'ip_net', value: '0.0.0.0/0' },
  target: { type: 'internet_gateway', value: 'default' },
})

const ownRoute = route(system, {
  name: 'front',
  kind: 'vpc_subnet',
  destination: { type: 'subnet', value: 'front' },
  target: { type: 'subnet', value: 'front' },
})

const parts: VpcParts = {
  gateways: [gateway],
  attached: new Map([['default', ['pool public']]]),
  routers: [system, custom],
  routes: [wayOut, ownRoute],
  subnets: [subnet('front'), subnet('back', custom.id)],
  interfaces: [nic('db', 'back'), nic('both', 'back', false), nic('both', 'front')],
  instanceNames: new Map([
    ['i-db', 'db'],
    ['i-both', 'both'],
  ]),
  externalIps: new Map([
    [
      'i-db',
      [
        { kind: 'snat', ip: '203.0.113.9', firstPort: 0, lastPort: 16383 },
        { kind: 'floating', ip: '203.0.113.5', name: 'db-ip' },
      ] as ExternalIp[],
    ],
  ]),
}

const all = (ids: readonly string[]) => new Set(ids)
const drawn = topologyOf(vpc, parts, all(['s-front', 's-back']))

describe('a topology', () => {
  it('says of each thing what it is, and leads to its screen', () => {
    expect(drawn.gateways[0]).toMatchObject({
      title: 'default',
      lines: ['pool public'],
      href: '/projects/web/vpcs/main/internet-gateways/default',
    })
    expect(drawn.routers.map(({ kind, lines, href }) => ({ kind, lines, href }))).toEqual([
      {
        kind: 'System router',
        lines: ['0.0.0.0/0 → default', '1 more route'],
        href: '/projects/web/vpcs/main/routers/system',
      },
      { kind: 'Custom router', lines: ['no routes'], href: '/projects/web/vpcs/main/routers/dc' },
    ])
    expect(drawn.subnets[1]).toMatchObject({
      lines: ['10.0.0.0/24', 'fd00::/64', 'router dc'],
      href: '/projects/web/vpcs/main/subnets/back/edit',
    })
  })

  it('orders the instances of a subnet by their names', () => {
    const interfaces = [nic('db', 'back'), nic('both', 'back')]
    const [, back] = topologyOf(vpc, { ...parts, interfaces }, all(['s-back'])).subnets
    expect(back?.instances.map(({ title }) => title)).toEqual(['both', 'db'])
  })

  it('shows an instance once, in the subnet of its primary interface', () => {
    const shown = drawn.subnets.map(({ title, instances }) => [
      title,
      instances.map((instance) => instance.title),
    ])
    expect(shown).toEqual([
      ['front', ['both']],
      ['back', ['db']],
    ])
    expect(drawn.subnets[0]?.instances[0]?.lines).toEqual(['10.0.0.5 net0', '10.0.0.5 net1'])
  })

  it('shows the addresses of an instance, those first at which it is reached', () => {
    const addresses = drawn.subnets[1]?.instances[0]?.addresses
    expect(addresses?.map(({ title, lines, href }) => [title, lines[0], href])).toEqual([
      ['203.0.113.5', 'floating, db-ip', '/projects/web/floating-ips/db-ip/edit'],
      ['203.0.113.9', 'SNAT, ports 0–16383', '/projects/web/instances/db/networking'],
    ])
  })

  it('ties what belongs together; the system router comes second where a subnet has its own', () => {
    expect(drawn.edges.slice(0, 4)).toEqual([
      { from: 'gateway-default', to: 'r-system' },
      { from: 'r-system', to: 's-front', isFallback: false },
      { from: 'r-system', to: 's-back', isFallback: true },
      { from: 'r-dc', to: 's-back', isFallback: false },
    ])
    expect(drawn.edges).toContainEqual({ from: 's-back', to: 'i-both' })
    expect(drawn.edges).toContainEqual({ from: 's-front', to: 'i-both' })
  })

  it('takes a router that is gone for none', () => {
    const { edges } = topologyOf(vpc, { ...parts, subnets: [subnet('back', 'gone')] }, all([]))
    expect(edges.filter(({ to }) => to === 's-back')).toEqual([
      { from: 'r-system', to: 's-back', isFallback: false },
    ])
  })

  it('leads to an instance by its id while its name is not known', () => {
    const { subnets } = topologyOf(
      vpc,
      { ...parts, instanceNames: new Map() },
      all(['s-front', 's-back']),
    )
    expect(subnets[1]?.instances[0]?.href).toBe('/lookup/instances/i-db')
  })
})

describe('a large VPC', () => {
  const many = (count: number, subnetName: string) =>
    Array.from({ length: count }, (_, index) => nic(`${subnetName}-${index}`, subnetName))

  it('folds the instances of a subnet with many', () => {
    const instances = instancesBySubnet([...many(7, 'back'), ...many(6, 'front')])
    expect([...unfoldedAtFirst(instances)]).toEqual(['s-front'])
  })

  it('folds all of them when there are many in all', () => {
    const subnets = ['a', 'b', 'c', 'd', 'e', 'f']
    expect(unfoldedAtFirst(instancesBySubnet(subnets.flatMap((name) => many(6, name)))).size).toBe(
      0,
    )
  })

  it('shows folded instances as a number', () => {
    const { subnets } = topologyOf(vpc, { ...parts, interfaces: many(9, 'back') }, all([]))
    expect(subnets[1]).toMatchObject({ instances: [], foldedInstances: 9 })
    expect(subnets[0]?.foldedInstances).toBe(0)
  })

  it('counts the subnets that there is no room for', () => {
    const subnets = Array.from({ length: SUBNETS_SHOWN + 5 }, (_, index) => subnet(`s${index}`))
    const topology = topologyOf(vpc, { ...parts, subnets }, all([]))
    expect(topology.subnets).toHaveLength(SUBNETS_SHOWN)
    expect(topology.furtherSubnets).toEqual({
      count: 5,
      href: '/projects/web/vpcs/main/subnets',
    })
  })
})

describe('the layout', () => {
  it('lets nothing stand upon another', () => {
    const { nodes, folds, width, height } = layoutTopology(
      topologyOf(vpc, { ...parts, interfaces: [...parts.interfaces] }, all(['s-front'])),
    )
    const boxes = [...nodes, ...folds]
    for (const [index, one] of boxes.entries()) {
      expect(one.x + one.width).toBeLessThanOrEqual(width)
      expect(one.y + one.height).toBeLessThanOrEqual(height)
      for (const other of boxes.slice(index + 1)) {
        const apart =
          one.x !== other.x || one.y + one.height <= other.y || other.y + other.height <= one.y
        expect(apart).toBe(true)
      }
    }
  })

  it('draws a line for everything that is tied, folded instances too', () => {
    const topology = topologyOf(vpc, parts, all(['s-front']))
    const { edges, folds } = layoutTopology(topology)
    expect(folds).toHaveLength(1)
    expect(edges).toHaveLength(topology.edges.length + folds.length)
  })

  it('puts instances beside the top of their subnet', () => {
    const { nodes } = layoutTopology(drawn)
    const place = (id: string) => nodes.find(({ node }) => node.id === id)
    expect(place('i-db')?.y).toBe(place('s-back')?.y)
  })
})
