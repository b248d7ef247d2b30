// Texts of a VPC's topology: the diagram and the list.

import { countOf } from '~/lib/text'

export const diagramLabel = 'Diagram'
export const noPoolText = 'no pool or address'
export const systemRouterLabel = 'System router'
export const customRouterLabel = 'Custom router'
export const noRoutesText = 'no routes'
export const attachedRouterText = (router: string) => `router ${router}`
export const floatingText = (name: string) => `floating, ${name}`
export const ephemeralText = 'ephemeral'
export const snatText = (firstPort: number, lastPort: number) =>
  `SNAT, ports ${firstPort}–${lastPort}`
export const gatewaysTitle = 'Internet gateways'
export const routersTitle = 'Routers'
export const subnetsTitle = 'Subnets'
export const instancesTitle = 'Instances'
export const externalAddressesTitle = 'External addresses'
export const noGatewaysText = 'No internet gateways'
export const noRoutersText = 'No routers'
export const noSubnetsText = 'No subnets'
export const addressText = (address: string) => `address ${address}`
export const poolText = (name: string) => `pool ${name}`
export const listLabel = 'List'
export const viewLabel = 'View'
export const gatewayLabel = 'Internet gateway'
export const subnetLabel = 'Subnet'
export const instanceLabel = 'Instance'
export const externalAddressLabel = 'External address'
export const dropText = 'Drop'
export const furtherRoutesText = (count: number) => countOf(count, 'more route')
export const furtherSubnetsLabel = (count: number) => countOf(count, 'more subnet')
export const foldedInstancesLabel = (count: number) => countOf(count, 'instance')
export const showInstancesLabel = (count: number) => `Show ${countOf(count, 'instance')}`
export const showInstancesOfLabel = (count: number, subnet: string) =>
  `Show ${countOf(count, 'instance')} of ${subnet}`
export const targetOfRoutesText = (routers: readonly string[]) =>
  `target of routes in ${routers.join(', ')}`
export const usedByText = (subnets: readonly string[]) => `used by ${subnets.join(', ')}`
export const nodeText = (kind: string, title: string, lines: readonly string[]) =>
  `${kind} ${title}${lines.length > 0 ? `: ${lines.join(', ')}` : ''}`
