import type { VpcCreate, VpcUpdate } from '~/api/generated/types.gen'
import { parseIpNet } from '~/lib/ip'
import * as text from '~/messages/vpc'

/** What the form for a new VPC asks for. */
export interface VpcFormValues {
  name: string
  description: string
  dnsName: string
  /** Blank for a random one. */
  ipv6Prefix: string
}

/** Width in bits that the server asks of a VPC's IPv6 prefix. */
const PREFIX_WIDTH = 48

/** @returns the message for a prefix that the server would refuse; a blank one is chosen by the server. */
export function validateIpv6Prefix(entered: string): string | undefined {
  const prefix = entered.trim()
  if (prefix === '') return undefined
  const parsed = parseIpNet(prefix)
  if (parsed.type === 'error') return parsed.message
  const isUniqueLocal = parsed.type === 'v6' && /^fd[0-9a-f]{2}:/i.test(parsed.address)
  if (!isUniqueLocal) return text.ipv6PrefixError
  return parsed.width === PREFIX_WIDTH ? undefined : text.prefixWidthError(PREFIX_WIDTH)
}

/** A blank prefix is left out: the server takes an empty text for a malformed network. */
export function vpcCreateBody({ ipv6Prefix, ...values }: VpcFormValues): VpcCreate {
  return { ...values, ipv6Prefix: ipv6Prefix.trim() || undefined }
}

/** A blank DNS name is left out, which keeps the old one: a VPC always has one. */
export function vpcUpdateBody({
  dnsName,
  ...values
}: Omit<VpcFormValues, 'ipv6Prefix'>): VpcUpdate {
  return { ...values, dnsName: dnsName || undefined }
}
