import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { diskList, snapshotCreate } from '~/api/generated/operations'
import type { SnapshotCreate } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/storage-summary-screens'
import { Fact, Facts, FormSummary, StorageQuota, useStorageQuota } from '~/resource/form-summary'

interface SnapshotSummaryProps {
  project: string
  control: Control<SnapshotCreate>
}

/** What a new snapshot takes, and what it has of a disk that is in use. */
export function SnapshotSummary({ project, control }: SnapshotSummaryProps) {
  const name = useWatch({ control, name: 'disk' })
  const { data } = useQuery(q(diskList, { query: { project, limit: allItems } }))
  const disk = data?.items.find((each) => each.name === name)
  const { amount, problem } = useStorageQuota(disk?.size ?? 0)
  if (!disk) return null
  const isInUse = disk.state.state === 'attached'
  return (
    <FormSummary needs={snapshotCreate} problems={[problem]}>
      <Facts>
        <Fact label={text.diskLabel}>{disk.name}</Fact>
        <Fact label={text.stateLabel}>{isInUse ? text.inUseText : text.idleText}</Fact>
        <Fact label={text.sizeLabel}>{formatBytes(disk.size)}</Fact>
        <Fact label={text.blockSizeLabel}>{text.bytesText(disk.blockSize)}</Fact>
      </Facts>
      {isInUse && <p className="text-fg-muted">{text.inUseHelp}</p>}
      <StorageQuota amount={amount} />
      <p className="text-fg-muted">{text.fullSizeHelp}</p>
    </FormSummary>
  )
}
