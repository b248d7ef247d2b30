import type { SiloQuotasUpdate, VirtualResourceCounts } from '~/api/generated/types.gen'
import { bytesToGib } from '~/lib/units'

import { gibToBytes } from './silo-form'

/** Quotas as a person edits them. */
export interface QuotaFormValues {
  cpus: number | null
  /** GiB */
  memory: number | null
  /** GiB */
  storage: number | null
}

/** What the form starts with. */
export function quotaFormValues({ cpus, memory, storage }: VirtualResourceCounts): QuotaFormValues {
  return { cpus, memory: bytesToGib(memory), storage: bytesToGib(storage) }
}

/**
 * The body of `siloQuotasUpdate`: only what was changed, in whole bytes. What was left alone is not sent, because the form shows it
 * rounded.
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
