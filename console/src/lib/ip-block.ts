import { parseIpNet } from './ip'
import { ipNumber } from './ip-number'
import { isOverlapping } from './ip-overlap'

/** Addresses of a subnet that no instance gets: the first five, and the last. */
const RESERVED = 6

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

/** How many addresses of an IPv4 subnet instances can have; `undefined` if the text is no IPv4 network. */
export function usableAddresses(block: string): number | undefined {
  const parsed = parseIpNet(block)
  return parsed.type === 'v4' ? Math.max(2 ** (32 - parsed.width) - RESERVED, 0) : undefined
}

/** Whether an IPv4 network is private, by its first address. */
export function isPrivateBlock(block: string): boolean {
  const parsed = parseIpNet(block)
  return parsed.type === 'v4' && PRIVATE.some((each) => isWithin(`${parsed.address}/32`, each))
}

/** Whether all addresses of a network are in another one. What is no network is in nothing. */
export function isWithin(inner: string, outer: string): boolean {
  const [one, other] = [parseIpNet(inner), parseIpNet(outer)]
  if (one.type === 'error' || other.type === 'error') return false
  return one.width >= other.width && isOverlapping(inner, outer)
}

/** Whether two ranges of addresses of one version have some in common. */
export function rangesOverlap(
  one: { first: string; last: string },
  other: { first: string; last: string },
): boolean {
  if (one.first.includes(':') !== other.first.includes(':')) return false
  return ipNumber(one.first) <= ipNumber(other.last) && ipNumber(other.first) <= ipNumber(one.last)
}
