import type { VirtualResourceCounts } from '~/api/generated/types.gen'
import * as text from '~/messages/no-quota'
import { Message } from '~/ui/message'

/** Says that nothing can be created because of a quota of 0, which a new silo has unless its creator chooses otherwise. */
export function NoQuotaHint({ capacity }: { capacity: VirtualResourceCounts }) {
  const { cpus, memory, storage } = capacity
  if (cpus > 0 && memory > 0 && storage > 0) return null
  return (
    <Message tone="notice" title={text.noQuotaTitle}>
      {cpus > 0 && memory > 0 ? text.noStorageQuotaText : text.noComputeQuotaText}
    </Message>
  )
}
