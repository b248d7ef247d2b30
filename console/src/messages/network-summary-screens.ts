import type { IpVersion } from '~/lib/ip'

/** Texts of the summaries of forms for floating IPs, VPCs, subnets and ranges of IP pools. */

export const poolLabel = 'IP pool'
export const defaultPoolText = (pool: string) => `${pool}, the default of the silo`
export const addressLabel = 'Address'
export const lowestText = 'The lowest available'
export const leftLabel = 'Addresses left'
export const leftText = (left: string, total: string) => `${left} of ${total}`
export const leftV6Label = 'IPv6 addresses left'
export const noAddressError = (pool: string) => `The IP pool ${pool} has no address left.`
export const noPoolError = 'The silo has no default IP pool, and none is selected.'
export const untilDeletedHelp =
  'The address belongs to the project until the floating IP is deleted, attached or not.'

export const prefixLabel = 'IPv6 prefix'
export const randomPrefixText = 'A random one'
export const subnetsLabel = 'IPv6 subnets'
export const dnsNameLabel = 'DNS name'
export const comesWithTitle = 'Comes with'
export const subnetLabel = 'Subnet'
export const routerLabel = 'Router'
export const routerText = 'system, with routes to the internet'
export const letsInLabel = 'Firewall lets in'
export const letsInText = 'Ping, SSH, and everything from inside the VPC'
export const sharedPrefixText = (vpc: string) =>
  `VPC ${vpc} of this project has some of this prefix, too.`

export const usableLabel = 'Addresses for instances'
export const reservedHelp = 'The first five addresses and the last one are reserved.'
export const ipv4Label = 'IPv4 block'
export const ipv6Label = 'IPv6 block'
export const freeBlockText = 'The lowest free /64 of the VPC'
export const freeBlockOfText = (prefix: string) => `The lowest free /64 of ${prefix}`
export const notPrivateError =
  'The IPv4 block has to be private: in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.'
export const overlapError = (block: string, subnet: string, taken: string) =>
  `${block} overlaps with ${taken} of subnet ${subnet}.`
export const notInPrefixError = (prefix: string) => `The IPv6 block has to be a /64 of ${prefix}.`
export const blocksFixedHelp = 'The blocks of a subnet cannot be changed later.'

export const rangeLabel = 'Addresses in the range'
export const poolSizeLabel = 'Addresses in the pool'
export const afterText = (before: string, after: string) => `${before}, then ${after}`
export const versionLabel = 'Version'
export const versionText: Record<IpVersion, string> = { v4: 'IPv4', v6: 'IPv6' }
export const rangeOverlapError = (first: string, last: string) =>
  `The pool has ${first} to ${last} already.`
export const otherPoolsHelp =
  'No range may overlap with one of another pool. That is checked when it is added.'
