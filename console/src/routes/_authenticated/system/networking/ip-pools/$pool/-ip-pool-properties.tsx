import { Network } from 'lucide-react'

import type { IpPool } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/ip-pool-screens'
import type { IpPoolAddresses } from '~/resource/ip-pool-utilization'
import { CapacityBar } from '~/ui/capacity-bar'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { PropertiesTable } from '~/ui/properties-table'

/** The properties of a pool, above its tabs. */
export function IpPoolProperties({ pool }: { pool: IpPool }) {
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Id id={pool.id} />
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={pool.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.createdLabel}>
        <DateTime value={pool.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.lastModifiedLabel}>
        <DateTime value={pool.timeModified} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

/** How many of a pool's addresses are allocated. An IP version without addresses is not shown. */
export function IpPoolBars({ v4, v6 }: IpPoolAddresses) {
  if (v4.capacity === 0 && v6.capacity === 0n) return null
  const shared = {
    icon: <Network />,
    unit: text.addressUnitLabel,
    isCount: true,
    provisionedLabel: text.allocatedLabel,
  }
  return (
    <div className="mt-4 grid gap-4 lg:grid-cols-2">
      {v4.capacity > 0 && (
        <CapacityBar
          {...shared}
          title={text.iPv4Title}
          provisioned={v4.allocated}
          capacity={v4.capacity}
        />
      )}
      {v6.capacity > 0n && (
        <CapacityBar
          {...shared}
          title={text.iPv6Title}
          provisioned={v6.allocated}
          capacity={v6.capacity}
        />
      )}
    </div>
  )
}
