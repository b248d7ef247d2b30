import type { FloatingIpCreate } from '~/api/generated/types.gen'

/** The values of the form for a floating IP. */
export interface FloatingIpFormValues {
  name: string
  description: string
  /** Name of the pool; empty for the silo's default. */
  pool: string
  /** The requested address; blank for the lowest free one. */
  ip: string
}

/** The initial values of the form. */
export const FLOATING_IP_DEFAULTS: FloatingIpFormValues = {
  name: '',
  description: '',
  pool: '',
  ip: '',
}

/** The body of `floatingIpCreate`. The server chooses what was left empty. */
export function floatingIpCreateBody({
  name,
  description,
  pool,
  ip,
}: FloatingIpFormValues): FloatingIpCreate {
  const address = ip.trim()
  return { name, description, ...(pool && { pool }), ...(address && { ip: address }) }
}
