import type {
  ExternalIp,
  InstanceNetworkInterface,
  InternetGateway,
  VpcRouter,
  VpcSubnet,
} from '~/api/generated/types.gen'
import * as text from '~/messages/topology-screens'
import { externalIpKey, inIpOrder } from '~/resource/external-ips'
import { gatewayPath, routerPath, subnetEditPath, subnetsPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { routesToGateway } from '~/resource/vpc-routes'
import type { RouteOfVpc } from '~/resource/vpc-routes'

/** The parts of a VPC as the API returns them. */
export interface VpcParts {
  gateways: readonly InternetGateway[]
  /** Names of the pools and addresses attached to each gateway, by the gateway's name. Gateways that are still loading are absent. */
  attached: ReadonlyMap<string, readonly string[]>
  routers: readonly VpcRouter[]
  routes: readonly RouteOfVpc[]
  subnets: readonly VpcSubnet[]
  /** Interfaces of instances in the subnets. */
  interfaces: readonly InstanceNetworkInterface[]
  /** Names of instances, by id. */
  instanceNames: ReadonlyMap<string, string>
  /** External addresses of the visible instances, by instance id. Instances that are still loading are absent. */
  externalIps: ReadonlyMap<string, readonly ExternalIp[]>
}

/** A node of the diagram, which links to the screen of what it stands for. */
export interface TopologyNode {
  /** Unique in the diagram. */
  id: string
  /** The kind of the node, as it is shown. */
  kind: string
  title: string
  /** Details, one for each line. */
  lines: readonly string[]
  href: string
}

/** An instance with its external addresses. */
export interface InstanceNode extends TopologyNode {
  instanceId: string
  addresses: readonly TopologyNode[]
}

/** A subnet with the instances whose first interface in the VPC is in it. */
export interface SubnetNode extends TopologyNode {
  subnetId: string
  instances: readonly InstanceNode[]
  /** How many instances are collapsed into their number. If there are any, `instances` is empty. */
  foldedInstances: number
}

/** A line between two nodes. */
export interface TopologyEdge {
  from: string
  to: string
  /** Whether the connection is only a fallback: the system router of a subnet that has a custom router. */
  isFallback?: boolean
}

/** A VPC as a graph. */
export interface Topology {
  gateways: readonly TopologyNode[]
  routers: readonly TopologyNode[]
  subnets: readonly SubnetNode[]
  /** The number of subnets that are not shown, and the path of their list. */
  furtherSubnets: { count: number; href: string }
  edges: readonly TopologyEdge[]
}

/** The most subnets that the diagram shows; further ones are only counted. With more, the diagram would be unreadable. */
export const SUBNETS_SHOWN = 30

/** A subnet with more instances than this is collapsed at first. */
const INSTANCES_UNFOLDED = 6

/** If the VPC has more instances than this, all subnets are collapsed at first. */
const INSTANCES_UNFOLDED_IN_ALL = 30

/** The most routes that a router's node lists. */
const ROUTES_SHOWN = 3

/** The interfaces of each instance in the VPC: the primary one first, the others in the order in which the subnets list them. */
function byInstance(interfaces: readonly InstanceNetworkInterface[]) {
  const instances = new Map<string, InstanceNetworkInterface[]>()
  for (const nic of interfaces) {
    const known = instances.get(nic.instanceId) ?? []
    instances.set(nic.instanceId, nic.primary ? [nic, ...known] : [...known, nic])
  }
  return instances
}

/** Ids of the instances in each subnet. An instance counts for the subnet of its first interface. */
export function instancesBySubnet(
  interfaces: readonly InstanceNetworkInterface[],
): Map<string, string[]> {
  const subnets = new Map<string, string[]>()
  for (const [instance, [first]] of byInstance(interfaces)) {
    if (first) subnets.set(first.subnetId, [...(subnets.get(first.subnetId) ?? []), instance])
  }
  return subnets
}

/** Ids of the subnets that are expanded at first. */
export function unfoldedAtFirst(instances: ReadonlyMap<string, readonly string[]>): Set<string> {
  const total = [...instances.values()].reduce((sum, { length }) => sum + length, 0)
  if (total > INSTANCES_UNFOLDED_IN_ALL) return new Set()
  const small = [...instances].filter(([, { length }]) => length <= INSTANCES_UNFOLDED)
  return new Set(small.map(([subnet]) => subnet))
}

/** Sorts ids by the names of what they identify. */
function inOrderOf(names: ReadonlyMap<string, string>, ids: readonly string[]): string[] {
  const nameOf = (id: string) => names.get(id) ?? id
  return ids.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
}

/**
 * Builds the graph of a VPC from its parts.
 *
 * @param unfolded ids of the subnets that are expanded.
 */
export function topologyOf(
  vpc: VpcParams,
  parts: VpcParts,
  unfolded: ReadonlySet<string>,
): Topology {
  const interfaces = byInstance(parts.interfaces)
  const instances = instancesBySubnet(parts.interfaces)
  const shown = parts.subnets.slice(0, SUBNETS_SHOWN)
  const subnets = shown.map((subnet) => {
    const ids = inOrderOf(parts.instanceNames, instances.get(subnet.id) ?? [])
    const isUnfolded = unfolded.has(subnet.id)
    return {
      ...subnetNode(vpc, subnet, parts.routers),
      instances: isUnfolded
        ? ids.map((id) => instanceNode(vpc, id, interfaces.get(id) ?? [], parts))
        : [],
      foldedInstances: isUnfolded ? 0 : ids.length,
    }
  })
  return {
    gateways: parts.gateways.map((gateway) => gatewayNode(vpc, gateway, parts)),
    routers: parts.routers.map((router) => routerNode(vpc, router, parts.routes)),
    subnets,
    furtherSubnets: { count: parts.subnets.length - shown.length, href: subnetsPath(vpc) },
    edges: [
      ...gatewayEdges(parts),
      ...shown.flatMap((subnet) => routerEdges(subnet, parts.routers)),
      ...subnets.flatMap((subnet) => instanceEdges(subnet, interfaces)),
    ],
  }
}

function gatewayNode(vpc: VpcParams, { name }: InternetGateway, parts: VpcParts): TopologyNode {
  return {
    id: gatewayId(name),
    kind: text.gatewayLabel,
    title: name,
    lines: attachedLines(parts.attached.get(name)),
    href: gatewayPath(vpc, name),
  }
}

/** While the attachments are loading, one line is reserved for them, so that the layout does not shift. */
function attachedLines(attached: readonly string[] | undefined): readonly string[] {
  if (!attached) return ['…']
  return attached.length > 0 ? attached : [text.noPoolText]
}

function routerNode(
  vpc: VpcParams,
  { id, name, kind }: VpcRouter,
  routes: readonly RouteOfVpc[],
): TopologyNode {
  const own = routes.filter(({ router }) => router.id === id).map(({ route }) => route)
  // Every subnet has a route; the diagram shows the subnets themselves instead.
  const listed = own.filter((route) => route.kind !== 'vpc_subnet')
  const further = own.length - Math.min(listed.length, ROUTES_SHOWN)
  return {
    id,
    kind: kind === 'system' ? text.systemRouterLabel : text.customRouterLabel,
    title: name,
    lines: [
      ...listed
        .slice(0, ROUTES_SHOWN)
        .map(
          ({ destination, target }) =>
            `${destination.value} → ${target.type === 'drop' ? text.dropText : target.value}`,
        ),
      ...(further > 0 ? [text.furtherRoutesText(further)] : []),
      ...(own.length === 0 ? [text.noRoutesText] : []),
    ],
    href: routerPath(vpc, name),
  }
}

function subnetNode(vpc: VpcParams, subnet: VpcSubnet, routers: readonly VpcRouter[]) {
  const { id, name, ipv4Block, ipv6Block, customRouterId } = subnet
  const router = routers.find((each) => each.id === customRouterId)
  return {
    id,
    subnetId: id,
    kind: text.subnetLabel,
    title: name,
    lines: [ipv4Block, ipv6Block, ...(router ? [text.attachedRouterText(router.name)] : [])],
    href: subnetEditPath(vpc, name),
  }
}

function instanceNode(
  { project }: VpcParams,
  id: string,
  interfaces: readonly InstanceNetworkInterface[],
  { instanceNames, externalIps }: VpcParts,
): InstanceNode {
  const name = instanceNames.get(id)
  // The interfaces of a new instance can be known before the list of instances is refetched.
  const href = name
    ? `/projects/${project}/instances/${name}/networking`
    : `/lookup/instances/${id}`
  return {
    id,
    instanceId: id,
    kind: text.instanceLabel,
    title: name ?? id,
    lines: interfaces.map((nic) => `${nic.ip} ${nic.name}`),
    href,
    addresses: inIpOrder(externalIps.get(id) ?? []).map((ip) => ({
      id: addressId(id, ip),
      kind: text.externalAddressLabel,
      title: ip.ip,
      lines: [addressText(ip)],
      href: ip.kind === 'floating' ? `/projects/${project}/floating-ips/${ip.name}/edit` : href,
    })),
  }
}

function addressText(ip: ExternalIp): string {
  switch (ip.kind) {
    case 'floating':
      return text.floatingText(ip.name)
    case 'ephemeral':
      return text.ephemeralText
    case 'snat':
      return text.snatText(ip.firstPort, ip.lastPort)
  }
}

const gatewayId = (name: string) => `gateway-${name}`
const addressId = (instance: string, ip: ExternalIp) => `${instance}-${externalIpKey(ip)}`

/** Connects each router with the gateways that its routes name. */
function gatewayEdges({ gateways, routers, routes }: VpcParts): TopologyEdge[] {
  return gateways.flatMap(({ name }) => {
    const leading = new Set(routesToGateway(routes, name).map(({ router }) => router.id))
    return routers
      .filter(({ id }) => leading.has(id))
      .map(({ id }) => ({ from: gatewayId(name), to: id }))
  })
}

/** Connects each subnet with its custom router, if it has one, and with the system router. */
function routerEdges(
  { id, customRouterId }: VpcSubnet,
  routers: readonly VpcRouter[],
): TopologyEdge[] {
  const hasOwn = routers.some((router) => router.id === customRouterId)
  return routers
    .filter((router) => router.kind === 'system' || router.id === customRouterId)
    .map((router) => ({ from: router.id, to: id, isFallback: hasOwn && router.kind === 'system' }))
}

function instanceEdges(
  { instances }: SubnetNode,
  interfaces: ReadonlyMap<string, readonly InstanceNetworkInterface[]>,
): TopologyEdge[] {
  return instances.flatMap(({ id, addresses }) => [
    ...(interfaces.get(id) ?? []).map(({ subnetId }) => ({ from: subnetId, to: id })),
    ...addresses.map((address) => ({ from: id, to: address.id })),
  ])
}
