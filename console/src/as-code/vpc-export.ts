import { call } from '~/api/call'
import {
  internetGatewayDelete,
  internetGatewayIpAddressCreate,
  internetGatewayIpAddressList,
  internetGatewayIpPoolCreate,
  internetGatewayIpPoolList,
  internetGatewayList,
  vpcDelete,
  vpcFirewallRulesView,
  vpcRouterList,
  vpcRouterRouteList,
  vpcSubnetDelete,
  vpcSubnetList,
} from '~/api/generated/operations'
import type { InternetGateway, Vpc } from '~/api/generated/types.gen'
import type { VpcParams } from '~/resource/vpc-path'

import type { Call } from './call'
import { wholeList } from './list-reader'
import type { Names } from './names'
import * as remake from './remake'

/** What is in a new project or VPC from the beginning: a VPC, a subnet, a gateway and its pool have this name. */
export const DEFAULT = 'default'

/** Removes the VPC that a new project has, so that all can be made as they were. */
export const removeDefaultVpc = (project: string): Call[] => [
  removeDefaultSubnet({ project, vpc: DEFAULT }),
  remake.callOf(vpcDelete, { path: { vpc: DEFAULT }, query: { project } }),
]

const removeDefaultSubnet = (of: VpcParams): Call =>
  remake.callOf(vpcSubnetDelete, { path: { subnet: DEFAULT }, query: { ...of } })

/** The calls that make a VPC. */
interface VpcCalls {
  /** With everything but its routes. */
  networks: Call[]
  routes: Call[]
}

/** The calls that make a VPC with its subnets, routers, gateways and rules in a project. */
export async function vpcCalls(vpc: Vpc, project: string, names: Names): Promise<VpcCalls> {
  const of = { project, vpc: vpc.name }
  const query = { ...of }
  const [subnets, routers, gateways, { rules }] = await Promise.all([
    wholeList(vpcSubnetList, { query }),
    wholeList(vpcRouterList, { query }),
    wholeList(internetGatewayList, { query }),
    call(vpcFirewallRulesView, { query }),
  ])
  const custom = routers.filter(({ kind }) => kind === 'custom')
  const routes = await Promise.all(
    custom.map(async ({ name: router }) => {
      const all = await wholeList(vpcRouterRouteList, { query: { ...of, router } })
      return all
        .filter(({ kind }) => kind === 'custom')
        .map((route) => remake.makeRoute(route, of, router))
    }),
  )
  const attached = await Promise.all(gateways.map((gateway) => gatewayCalls(gateway, of, names)))
  const subnetCalls = subnets.map(async (subnet) => {
    const { customRouterId: router } = subnet
    return remake.makeSubnet(subnet, of, router ? await names.router(router) : undefined)
  })
  return {
    networks: [
      remake.makeVpc(vpc, project),
      removeDefaultSubnet(of),
      ...custom.map((router) => remake.makeRouter(router, of)),
      ...(await Promise.all(subnetCalls)),
      ...(gateways.some(({ name }) => name === DEFAULT) ? [] : [removeDefaultGateway(of)]),
      ...attached.flat(),
      remake.makeFirewallRules(rules, of),
    ],
    routes: routes.flat(),
  }
}

const removeDefaultGateway = (of: VpcParams): Call =>
  remake.callOf(internetGatewayDelete, {
    path: { gateway: DEFAULT },
    query: { ...of, cascade: true },
  })

/** A gateway with its pools and addresses. The default one is there, with the default pool. */
async function gatewayCalls(
  gateway: InternetGateway,
  of: VpcParams,
  names: Names,
): Promise<Call[]> {
  const query = { ...of, gateway: gateway.name }
  const [pools, addresses] = await Promise.all([
    wholeList(internetGatewayIpPoolList, { query }),
    wholeList(internetGatewayIpAddressList, { query }),
  ])
  const isDefault = gateway.name === DEFAULT
  const poolCalls = pools
    .filter(({ name }) => !isDefault || name !== DEFAULT)
    .map(async ({ name, description, ipPoolId }) =>
      remake.callOf(internetGatewayIpPoolCreate, {
        query,
        body: { name, description, ipPool: await names.pool(ipPoolId) },
      }),
    )
  return [
    ...(isDefault ? [] : [remake.makeGateway(gateway, of)]),
    ...(await Promise.all(poolCalls)),
    ...addresses.map(({ name, description, address }) =>
      remake.callOf(internetGatewayIpAddressCreate, {
        query,
        body: { name, description, address },
      }),
    ),
  ]
}
