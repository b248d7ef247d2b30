import { parseIpNet } from './ip'
import { ipNumber } from './ip-number'

/** Whether two IP networks of one version have addresses in common. What is no network overlaps with nothing. */
export function isOverlapping(one: string, other: string): boolean {
  const [first, second] = [parseIpNet(one), parseIpNet(other)]
  if (first.type === 'error' || first.type !== second.type) return false
  const shift = BigInt((first.type === 'v4' ? 32 : 128) - Math.min(first.width, second.width))
  return ipNumber(first.address) >> shift === ipNumber(second.address) >> shift
}
