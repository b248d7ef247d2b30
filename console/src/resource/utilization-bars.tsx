import { Cpu, HardDrive, MemoryStick } from 'lucide-react'

import type { VirtualResourceCounts } from '~/api/generated/types.gen'
import { bytesToGib, bytesToTib, TIB } from '~/lib/units'
import * as text from '~/messages/utilization'
import { CapacityBar } from '~/ui/capacity-bar'

interface UtilizationBarsProps {
  provisioned: VirtualResourceCounts
  /** What can be provisioned at the most. */
  capacity: VirtualResourceCounts
  /** What the capacity is called, for example "Quota". */
  capacityLabel: string
}

/** How much CPU, memory and storage is taken, side by side where there is room. */
export function UtilizationBars({ provisioned, capacity, capacityLabel }: UtilizationBarsProps) {
  // On a small machine everything would be "0 TiB".
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
