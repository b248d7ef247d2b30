import type { SiloUtilization, VirtualResourceCounts } from '~/api/generated/types.gen'
import { percentOf, roundTo } from '~/lib/numbers'
import { bytesToGib, bytesToTib, TIB } from '~/lib/units'

type Utilization = Pick<SiloUtilization, 'allocated' | 'provisioned'>

/** The sums over several silos. */
export function totalUtilization(silos: readonly Utilization[]): Utilization {
  return {
    allocated: sumOf(silos.map(({ allocated }) => allocated)),
    provisioned: sumOf(silos.map(({ provisioned }) => provisioned)),
  }
}

function sumOf(counts: readonly VirtualResourceCounts[]): VirtualResourceCounts {
  const total = { cpus: 0, memory: 0, storage: 0 }
  for (const { cpus, memory, storage } of counts) {
    total.cpus += cpus
    total.memory += memory
    total.storage += storage
  }
  return total
}

/** One resource of one silo, in the unit in which it is shown. */
export interface ResourceUse {
  provisioned: number
  quota: number
  /** The remaining amount. Negative if the quota was lowered below the usage. */
  available: number
  /** The provisioned amount in percent of the quota. Any usage of a quota of zero counts as 100. */
  percent: number
}

/** The difference of the rounded numbers, so that the shown numbers add up. */
export function resourceUse(provisioned: number, quota: number): ResourceUse {
  return {
    provisioned,
    quota,
    available: roundTo(quota - provisioned, 2),
    percent: quota > 0 ? percentOf(provisioned, quota) : provisioned > 0 ? 100 : 0,
  }
}

/** Percentage from which a meter warns. */
export const SHORTAGE_PERCENT = 66

/** The unit for the storage of all silos. TiB is too large for a small host. */
export function storageUnit(silos: readonly Utilization[]): 'GiB' | 'TiB' {
  const isLarge = silos.some(({ allocated, provisioned }) =>
    [allocated, provisioned].some(({ storage }) => storage >= TIB),
  )
  return isLarge ? 'TiB' : 'GiB'
}

/** Bytes in a unit, rounded to two decimals. */
export function bytesIn(unit: 'GiB' | 'TiB', bytes: number): number {
  return unit === 'TiB' ? bytesToTib(bytes) : bytesToGib(bytes)
}
