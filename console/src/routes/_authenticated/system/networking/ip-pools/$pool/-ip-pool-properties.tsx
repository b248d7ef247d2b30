import { Network } from 'lucide-react'

import type { IpPool } from '~/api/generated/types.gen'
import type { IpPoolAddresses } from '~/resource/ip-pool-utilization'
import { CapacityBar } from '~/ui/capacity-bar'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { PropertiesTable } from '~/ui/properties-table'
import { Truncate } from '~/ui/truncate'

/** The facts of a pool above its tabs. */
export function IpPoolProperties({ pool }: { pool: IpPool }) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label="ID">
        <span className="min-w-0 font-mono text-xs">
          <Truncate text={pool.id} max={32} copy />
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Description">
        <DescriptionCell text={pool.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Created">
        <DateTime value={pool.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Last Modified">
        <DateTime value={pool.timeModified} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

/** How many of a pool's addresses are taken; nothing for a version of which it has none. */
export function IpPoolBars({ v4, v6 }: IpPoolAddresses) {
  if (v4.capacity === 0 && v6.capacity === 0n) return null
  const shared = { icon: <Network />, unit: 'IPs', isCount: true, provisionedLabel: 'Allocated' }
  return (
    <div className="mt-4 grid gap-4 lg:grid-cols-2">
      {v4.capacity > 0 && (
        <CapacityBar {...shared} title="IPv4" provisioned={v4.allocated} capacity={v4.capacity} />
      )}
      {v6.capacity > 0n && (
        <CapacityBar {...shared} title="IPv6" provisioned={v6.allocated} capacity={v6.capacity} />
      )}
    </div>
  )
}
