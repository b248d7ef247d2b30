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
  /** What is left; below zero when the quota was lowered under what is used. */
  available: number
  /** What is provisioned in percent of the quota. Anything at all is too much for no quota, so that counts as full. */
  percent: number
}

/** The difference is that of the rounded numbers, so that the three of them add up on the screen. */
export function resourceUse(provisioned: number, quota: number): ResourceUse {
  return {
    provisioned,
    quota,
    available: roundTo(quota - provisioned, 2),
    percent: quota > 0 ? percentOf(provisioned, quota) : provisioned > 0 ? 100 : 0,
  }
}

/** From here on a meter draws the eye to a resource that is getting short, in percent. */
export const SHORTAGE_PERCENT = 66

/** The unit for the storage of all silos: a small host has nothing that a TiB would measure. */
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
