import { ipPoolUtilizationView } from '~/api/generated/operations'
import type { IpPoolUtilization } from '~/api/generated/types.gen'
import { q } from '~/api/query'

/** The number of allocated addresses of a pool and its capacity. */
export const ipPoolUtilization = (pool: string) => q(ipPoolUtilizationView, { path: { pool } })

/** Addresses of one IP version. */
interface AddressCount<N extends number | bigint> {
  allocated: N
  capacity: N
}

/** The addresses of a pool as numbers. IPv6 counts exceed the range of a double. */
export interface IpPoolAddresses {
  v4: AddressCount<number>
  v6: AddressCount<bigint>
}

/** The API returns the large IPv6 counts as strings. */
export function ipPoolAddresses({ ipv4, ipv6 }: IpPoolUtilization): IpPoolAddresses {
  return {
    v4: ipv4,
    v6: { allocated: BigInt(ipv6.allocated), capacity: BigInt(ipv6.capacity) },
  }
}

/** Whether a pool has any range. */
export function hasAddresses({ v4, v6 }: IpPoolAddresses): boolean {
  return v4.capacity > 0 || v6.capacity > 0n
}
