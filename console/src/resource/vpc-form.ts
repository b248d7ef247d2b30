import type { VpcCreate, VpcUpdate } from '~/api/generated/types.gen'
import { parseIpNet } from '~/lib/ip'
import * as text from '~/messages/vpc'

/** The values of the form for a new VPC. */
export interface VpcFormValues {
  name: string
  description: string
  dnsName: string
  /** Blank for a random prefix. */
  ipv6Prefix: string
}

/** Width in bits of a VPC's IPv6 prefix, set by the server. */
const PREFIX_WIDTH = 48

/** @returns the error for an invalid prefix. A blank one is valid: the server chooses a prefix. */
export function validateIpv6Prefix(entered: string): string | undefined {
  const prefix = entered.trim()
  if (prefix === '') return undefined
  const parsed = parseIpNet(prefix)
  if (parsed.type === 'error') return parsed.message
  const isUniqueLocal = parsed.type === 'v6' && /^fd[0-9a-f]{2}:/i.test(parsed.address)
  if (!isUniqueLocal) return text.ipv6PrefixError
  return parsed.width === PREFIX_WIDTH ? undefined : text.prefixWidthError(PREFIX_WIDTH)
}

/** A blank prefix is left out, because the server rejects an empty string. */
export function vpcCreateBody({ ipv6Prefix, ...values }: VpcFormValues): VpcCreate {
  return { ...values, ipv6Prefix: ipv6Prefix.trim() || undefined }
}

/** A blank DNS name is left out, which keeps the current one. A VPC always has a DNS name. */
export function vpcUpdateBody({
  dnsName,
  ...values
}: Omit<VpcFormValues, 'ipv6Prefix'>): VpcUpdate {
  return { ...values, dnsName: dnsName || undefined }
}
