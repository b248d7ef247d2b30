import { Cpu, HardDrive, MemoryStick } from 'lucide-react'

import type { VirtualResourceCounts } from '~/api/generated/types.gen'
import { bytesToGib, bytesToTib, TIB } from '~/lib/units'
import * as text from '~/messages/utilization'
import { CapacityBar } from '~/ui/capacity-bar'

interface UtilizationBarsProps {
  provisioned: VirtualResourceCounts
  /** The maximum that can be provisioned. */
  capacity: VirtualResourceCounts
  /** Label of the capacity, for example "Quota". */
  capacityLabel: string
}

/** The provisioned CPU, memory and storage, side by side if there is room. */
export function UtilizationBars({ provisioned, capacity, capacityLabel }: UtilizationBarsProps) {
  // On a small host, TiB would show 0 everywhere.
  const isLarge = Math.max(capacity.storage, provisioned.storage) >= TIB
  const storageIn = isLarge ? bytesToTib : bytesToGib
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <CapacityBar
        icon={<Cpu />}
        title={text.cpuTitle}
        unit="vCPUs"
        isCount
        provisioned={provisioned.cpus}
        capacity={capacity.cpus}
        capacityLabel={capacityLabel}
      />
      <CapacityBar
        icon={<MemoryStick />}
        title={text.memoryTitle}
        unit="GiB"
        provisioned={bytesToGib(provisioned.memory)}
        capacity={bytesToGib(capacity.memory)}
        capacityLabel={capacityLabel}
      />
      <CapacityBar
        icon={<HardDrive />}
        title={text.storageTitle}
        unit={isLarge ? 'TiB' : 'GiB'}
        provisioned={storageIn(provisioned.storage)}
        capacity={storageIn(capacity.storage)}
        capacityLabel={capacityLabel}
      />
    </div>
  )
}
