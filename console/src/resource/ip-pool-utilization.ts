import { ipPoolUtilizationView } from '~/api/generated/operations'
import type { IpPoolUtilization } from '~/api/generated/types.gen'
import { q } from '~/api/query'

/** How many addresses of a pool are in use. */
export const ipPoolUtilization = (pool: string) => q(ipPoolUtilizationView, { path: { pool } })

/** Addresses of one version of the internet protocol. */
interface AddressCount<N extends number | bigint> {
  allocated: N
  capacity: N
}

/** The addresses of a pool as numbers: those of IPv6 are more than a double counts. */
export interface IpPoolAddresses {
  v4: AddressCount<number>
  v6: AddressCount<bigint>
}

/** The wire carries the big counts of IPv6 as texts. */
export function ipPoolAddresses({ ipv4, ipv6 }: IpPoolUtilization): IpPoolAddresses {
  return {
    v4: ipv4,
    v6: { allocated: BigInt(ipv6.allocated), capacity: BigInt(ipv6.capacity) },
  }
}

/** Whether a pool has any address, and with that any range. */
export function hasAddresses({ v4, v6 }: IpPoolAddresses): boolean {
  return v4.capacity > 0 || v6.capacity > 0n
}
