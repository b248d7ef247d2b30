import type { SiloQuotasUpdate, VirtualResourceCounts } from '~/api/generated/types.gen'
import { bytesToGib } from '~/lib/units'

import { gibToBytes } from './silo-form'

/** The values of the quota form. */
export interface QuotaFormValues {
  cpus: number | null
  /** GiB */
  memory: number | null
  /** GiB */
  storage: number | null
}

/** The initial values of the form. */
export function quotaFormValues({ cpus, memory, storage }: VirtualResourceCounts): QuotaFormValues {
  return { cpus, memory: bytesToGib(memory), storage: bytesToGib(storage) }
}

/**
 * The body of `siloQuotasUpdate`, in whole bytes. Contains only changed values, because the form shows rounded
 * ones.
 */
export function quotasUpdateBody(
  before: QuotaFormValues,
  { cpus, memory, storage }: QuotaFormValues,
): SiloQuotasUpdate {
  return {
    ...(cpus !== before.cpus && cpus !== null && { cpus }),
    ...(memory !== before.memory && { memory: gibToBytes(memory) }),
    ...(storage !== before.storage && { storage: gibToBytes(storage) }),
  }
}
