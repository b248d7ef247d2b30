import type { FloatingIpCreate } from '~/api/generated/types.gen'

/** What a person enters to make a floating IP. */
export interface FloatingIpFormValues {
  name: string
  description: string
  /** Name of the pool; empty = the silo's default. */
  pool: string
  /** The address asked for; blank = the lowest free one. */
  ip: string
}

/** The form before anything was entered. */
export const FLOATING_IP_DEFAULTS: FloatingIpFormValues = {
  name: '',
  description: '',
  pool: '',
  ip: '',
}

/** The body of `floatingIpCreate`: what was left empty is left to the server. */
export function floatingIpCreateBody({
  name,
  description,
  pool,
  ip,
}: FloatingIpFormValues): FloatingIpCreate {
  const address = ip.trim()
  return { name, description, ...(pool && { pool }), ...(address && { ip: address }) }
}
