import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { instanceExternalIpList, vpcSubnetListNetworkInterfaces } from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q, useLoaded } from '~/api/query'
import * as text from '~/messages/topology-screens'
import type { VpcParams } from '~/resource/vpc-path'
import {
  gatewayAddresses,
  gatewayPools,
  knownPools,
  projectInstances,
  vpcGateways,
  vpcRouters,
  vpcSubnets,
} from '~/resource/vpc-queries'
import { useRoutes } from '~/resource/vpc-routes'

import { instancesBySubnet, SUBNETS_SHOWN, topologyOf, unfoldedAtFirst } from './graph'
import type { Topology } from './graph'

const subnetInterfaces = (subnet: string) =>
  q(
    vpcSubnetListNetworkInterfaces,
    { path: { subnet }, query: { limit: allItems } },
    { allowNotFound: true },
  )

const externalIps = (instance: string) =>
  q(instanceExternalIpList, { path: { instance } }, { allowNotFound: true })

/** What the topology tab shows once everything is loaded. */
interface TopologyState {
  topology: Topology
  /** Expands the instances of a subnet, or collapses them into their number. */
  toggle: (subnetId: string) => void
}

/**
 * Collects the parts of a VPC; `undefined` until its structure is loaded. External addresses and the attachments of gateways are
 * loaded after that. The route's loader has already loaded the lists that the other requests depend on.
 */
export function useTopology(vpc: VpcParams): TopologyState | undefined {
  const subnets = useLoaded(vpcSubnets(vpc)).items
  const routers = useLoaded(vpcRouters(vpc)).items
  const gateways = useLoaded(vpcGateways(vpc)).items
  const instances = useLoaded(projectInstances(vpc.project)).items
  const routes = useRoutes(vpc, routers)
  const attached = useAttached(vpc, gateways)
  const { interfaces, isPending } = useInterfaces(subnets.slice(0, SUBNETS_SHOWN))

  const bySubnet = useMemo(() => instancesBySubnet(interfaces), [interfaces])
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const unfolded = useMemo<ReadonlySet<string>>(
    () => [...toggled].reduce<ReadonlySet<string>>(toggledIn, unfoldedAtFirst(bySubnet)),
    [bySubnet, toggled],
  )
  const shown = [...unfolded].flatMap((subnet) => bySubnet.get(subnet) ?? [])
  const ips = useExternalIps(shown)

  if (!routes || isPending) return undefined
  return {
    topology: topologyOf(
      vpc,
      {
        gateways,
        attached,
        routers,
        routes,
        subnets,
        interfaces,
        instanceNames: new Map(instances.map(({ id, name }) => [id, name])),
        externalIps: ips,
      },
      unfolded,
    ),
    toggle: (subnet) => setToggled((before) => toggledIn(before, subnet)),
  }
}

/** Adds the item to the set, or removes it if it is already there. */
function toggledIn(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  const rest = [...set].filter((each) => each !== item)
  return new Set(set.has(item) ? rest : [...rest, item])
}

function useInterfaces(subnets: readonly { id: string }[]) {
  return useQueries({
    queries: subnets.map(({ id }) => subnetInterfaces(id)),
    combine: (lists) => ({
      interfaces: lists.flatMap(({ data }) => data?.items ?? []),
      isPending: lists.some((list) => list.isPending),
    }),
  })
}

function useExternalIps(instances: readonly string[]) {
  const lists = useQueries({ queries: instances.map(externalIps) })
  return new Map(instances.map((id, index) => [id, lists[index]?.data?.items ?? []]))
}

/** Names of the pools and addresses attached to each gateway, by the gateway's name. Gateways that are still loading are absent. */
function useAttached(vpc: VpcParams, gateways: readonly { name: string }[]) {
  const known = useQuery(knownPools)
  const pools = useQueries({ queries: gateways.map(({ name }) => gatewayPools(vpc, name)) })
  const addresses = useQueries({ queries: gateways.map(({ name }) => gatewayAddresses(vpc, name)) })
  const nameOf = new Map(known.data?.items.map(({ id, name }) => [id, name]))
  const attached = new Map<string, string[]>()
  for (const [index, { name }] of gateways.entries()) {
    const [ofPools, ofAddresses] = [pools[index], addresses[index]]
    if (known.isPending || ofPools?.isPending || ofAddresses?.isPending) continue
    attached.set(name, [
      ...(ofAddresses?.data?.items ?? []).map(({ address }) => text.addressText(address)),
      ...(ofPools?.data?.items ?? []).map((pool) =>
        text.poolText(nameOf.get(pool.ipPoolId) ?? pool.name),
      ),
    ])
  }
  return attached
}
