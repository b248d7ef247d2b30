import {
  instanceList,
  internetGatewayIpAddressList,
  internetGatewayIpPoolList,
  internetGatewayList,
  projectIpPoolList,
  vpcRouterList,
  vpcRouterRouteList,
  vpcSubnetList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

import type { VpcParams } from './vpc-path'

/** All instances of a project. */
export const projectInstances = (project: string) =>
  q(instanceList, { query: { project, limit: allItems } })

/** All routers of a VPC. */
export const vpcRouters = (vpc: VpcParams) =>
  q(vpcRouterList, { query: { ...vpc, limit: allItems } })

/** All subnets of a VPC. */
export const vpcSubnets = (vpc: VpcParams) =>
  q(vpcSubnetList, { query: { ...vpc, limit: allItems } })

/** All internet gateways of a VPC. */
export const vpcGateways = (vpc: VpcParams) =>
  q(internetGatewayList, { query: { ...vpc, limit: allItems } })

// The parent router or gateway may be deleted before this request. The list around it is still valid.
const MAY_BE_GONE = { allowNotFound: true }

/** All routes of a router. */
export const routerRoutes = (vpc: VpcParams, router: string) =>
  q(vpcRouterRouteList, { query: { ...vpc, router, limit: allItems } }, MAY_BE_GONE)

/** All pools attached to an internet gateway. */
export const gatewayPools = (vpc: VpcParams, gateway: string) =>
  q(internetGatewayIpPoolList, { query: { ...vpc, gateway, limit: allItems } }, MAY_BE_GONE)

/** All addresses attached to an internet gateway. */
export const gatewayAddresses = (vpc: VpcParams, gateway: string) =>
  q(internetGatewayIpAddressList, { query: { ...vpc, gateway, limit: allItems } }, MAY_BE_GONE)

/** All pools that the project can use. They provide the names of the gateways' pools. */
export const knownPools = q(projectIpPoolList, { query: { limit: allItems } })
