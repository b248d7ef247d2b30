import * as messages from '~/messages/validation'

import { groupsOf, ipNumber } from './ip-number'

/** Version of the internet protocol that an address belongs to. */
export type IpVersion = 'v4' | 'v6'

/** The result of parsing an address. */
export type ParsedIp = { type: IpVersion; address: string } | { type: 'error'; message: string }

/** The result of parsing an IP network. */
export type ParsedIpNet =
  | { type: IpVersion; address: string; width: number }
  | { type: 'error'; message: string }

const NOT_AN_ADDRESS = messages.ipAddressError
const MAX_WIDTH: Record<IpVersion, number> = { v4: 32, v6: 128 }
const OCTET = /^(0|[1-9][0-9]{0,2})$/
const GROUP = /^[0-9a-f]{1,4}$/i
const IPV6_GROUPS = 8

/**
 * Reads an IPv4 or IPv6 address. Surrounding spaces and leading zeros in IPv4 octets are errors, because servers
 * disagree on their meaning.
 */
export function parseIp(text: string): ParsedIp {
  if (isIpv4(text)) return { type: 'v4', address: text }
  if (isIpv6(text)) return { type: 'v6', address: text }
  return { type: 'error', message: NOT_AN_ADDRESS }
}

/** @returns the message for a text that is no IP address. */
export function validateIp(text: string): string | undefined {
  const parsed = parseIp(text)
  return parsed.type === 'error' ? parsed.message : undefined
}

/** Reads an IP network, an address and a width separated by exactly one slash. Host bits are not checked. */
export function parseIpNet(text: string): ParsedIpNet {
  const [address = '', width = '', ...rest] = text.split('/')
  const parsed = parseIp(address)
  if (rest.length > 0 || parsed.type === 'error' || width.trim() === '') {
    return { type: 'error', message: messages.ipNetError }
  }
  if (!/^[0-9]+$/.test(width)) return { type: 'error', message: messages.ipNetWidthError }
  if (Number(width) > MAX_WIDTH[parsed.type]) {
    const version = parsed.type === 'v4' ? 'IPv4' : 'IPv6'
    return { type: 'error', message: messages.ipNetMaxWidthError(version, MAX_WIDTH[parsed.type]) }
  }
  return { ...parsed, width: Number(width) }
}

/** @returns the message for a text that is no IP network. */
export function validateIpNet(text: string): string | undefined {
  const parsed = parseIpNet(text)
  return parsed.type === 'error' ? parsed.message : undefined
}

/**
 * Puts two addresses of one version into order, by their numbers: 10.0.0.9 comes before 10.0.0.10. Zones do not count.
 *
 * @returns less than, equal to or greater than zero, as `Array.prototype.sort` wants it.
 * @throws TypeError when one of them is no address.
 */
export function compareIps(one: string, other: string): number {
  const [first, second] = [addressNumber(one), addressNumber(other)]
  if (first === second) return 0
  return first < second ? -1 : 1
}

function addressNumber(text: string): bigint {
  const parsed = parseIp(text)
  if (parsed.type === 'error') throw new TypeError(`${parsed.message}: ${text}`)
  return ipNumber(text)
}

function isIpv4(text: string): boolean {
  const octets = text.split('.')
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)
}

function isIpv6(text: string): boolean {
  const zone = /^(fe80:.*)%[0-9a-z]+$/i.exec(text)
  const address = zone?.[1] ?? text
  if (address.includes('.')) return isIpv6WithIpv4Tail(address)
  const halves = address.split('::')
  if (halves.length > 2) return false
  const groups = halves.map(groupsOf)
  const count = groups.flat().length
  // "::" stands for at least one group of zeros, so that there is one way to write a full address.
  const countFits = halves.length === 2 ? count < IPV6_GROUPS : count === IPV6_GROUPS
  return countFits && groups.flat().every((group) => GROUP.test(group))
}

// Three forms only: ::a.b.c.d, ::ffff[:0]:a.b.c.d, and one to four groups, "::" and the tail.
function isIpv6WithIpv4Tail(address: string): boolean {
  const cut = address.lastIndexOf(':') + 1
  const head = address.slice(0, cut)
  if (!isIpv4(address.slice(cut))) return false
  return /^::(ffff:(0{1,4}:)?)?$/i.test(head) || /^([0-9a-f]{1,4}:){1,4}:$/i.test(head)
}
