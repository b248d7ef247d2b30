import type { ExternalIp } from '~/api/generated/types.gen'

/** An external address that other hosts can reach. Source NAT is for outgoing traffic only. */
export type ReachableIp = Exclude<ExternalIp, { kind: 'snat' }>

/** Maximum number of external addresses of one instance, without source NAT. */
export const FLOATING_IPS_MAX = 32

const RANK: Record<ExternalIp['kind'], number> = { floating: 0, ephemeral: 1, snat: 2 }

/** Floating addresses first, then the ephemeral one, then source NAT. The order within a kind is kept. */
export function inIpOrder<I extends Pick<ExternalIp, 'kind'>>(ips: readonly I[]): I[] {
  return ips.toSorted((one, other) => RANK[one.kind] - RANK[other.kind])
}

/** The addresses at which the instance can be reached, in their order. */
export function reachableIps(ips: readonly ExternalIp[]): ReachableIp[] {
  return inIpOrder(ips.filter((ip): ip is ReachableIp => ip.kind !== 'snat'))
}

/** The preferred address to reach the instance, if it has one. */
export function preferredIp(ips: readonly ExternalIp[]): string | undefined {
  return reachableIps(ips)[0]?.ip
}

/** A unique key of an address of an instance. Several source NAT entries may share an address. */
export function externalIpKey(ip: ExternalIp): string {
  return ip.kind === 'snat' ? `snat-${ip.ip}-${ip.firstPort}` : `${ip.kind}-${ip.ip}`
}

/** An address as the host part of a URL. */
export function urlHost(ip: string): string {
  return ip.includes(':') ? `[${ip}]` : ip
}
