import { useQuery } from '@tanstack/react-query'

import * as text from '~/messages/ip-pool'
import { Badge } from '~/ui/badge'
import { BigNumber } from '~/ui/big-number'
import { EmptyCell } from '~/ui/empty-cell'
import { Skeleton } from '~/ui/skeleton'

import { ipPoolAddresses, ipPoolUtilization } from './ip-pool-utilization'
import type { IpPoolAddresses } from './ip-pool-utilization'

/** Cell with the utilization of a pool, by its name. */
export function IpPoolUtilizationCell({ pool }: { pool: string }) {
  // The pool may be deleted while the list is open. Its row then shows a dash.
  const { data, error } = useQuery({ ...ipPoolUtilization(pool), throwOnError: false })
  if (data) return <AddressesInUse {...ipPoolAddresses(data)} />
  return error ? <EmptyCell /> : <Skeleton />
}

/** The number of allocated addresses and the capacity; for each IP version if the pool has IPv6 addresses. */
export function AddressesInUse({ v4, v6 }: IpPoolAddresses) {
  if (v6.capacity === 0n) return <Share {...v4} />
  return (
    <span className="inline-flex items-center gap-3">
      <span className="inline-flex items-center gap-1.5">
        <Badge tone="neutral" preserveCase>
          {text.version4Label}
        </Badge>
        <Share {...v4} />
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Badge tone="neutral" preserveCase>
          {text.version6Label}
        </Badge>
        <Share {...v6} />
      </span>
    </span>
  )
}

interface ShareProps {
  allocated: number | bigint
  capacity: number | bigint
}

const Share = ({ allocated, capacity }: ShareProps) => (
  <span className="font-mono text-xs whitespace-nowrap">
    <BigNumber value={allocated} /> / <BigNumber value={capacity} />
  </span>
)
