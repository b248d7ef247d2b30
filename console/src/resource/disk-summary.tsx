import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import {
  diskCreate,
  diskList,
  imageList,
  projectSiloImageList,
  snapshotList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { formatDate } from '~/lib/dates'
import { formatBytes, GIB } from '~/lib/units'
import * as text from '~/messages/storage-summary-screens'

import { sourceSizeRefusal } from './disk-form'
import type { DiskFormValues } from './disk-form'
import { Fact, Facts, FormSummary, StorageQuota, useStorageQuota } from './form-summary'

interface DiskSummaryProps {
  project: string
  control: Control<DiskFormValues>
}

/** What a new disk has in it, and what it takes. */
export function DiskSummary({ project, control }: DiskSummaryProps) {
  const values = useWatch({ control }) as DiskFormValues
  const size = Number(values.size) * GIB
  const { kind, name, content, blockSize } = useSource(project, values)
  const { amount, problem } = useStorageQuota(size)
  const isCopy = name !== undefined
  const { sourceSize } = values
  const tooSmall =
    isCopy && kind ? sourceSizeRefusal(Number(values.size), sourceSize, kind) : undefined
  return (
    <FormSummary needs={diskCreate} problems={[tooSmall, problem]}>
      <Facts>
        <Fact label={text.sourceLabel}>{name}</Fact>
        <Fact label={text.contentLabel}>{content}</Fact>
        {isCopy && <Fact label={text.sourceSizeLabel}>{formatBytes(sourceSize)}</Fact>}
        <Fact label={text.blockSizeLabel}>{blockSize && text.bytesText(blockSize)}</Fact>
        {size > 0 && <Fact label={text.sizeLabel}>{formatBytes(size)}</Fact>}
      </Facts>
      {isCopy && size > sourceSize && (
        <p className="text-fg-muted">{text.unusedText(formatBytes(size - sourceSize))}</p>
      )}
      <StorageQuota amount={amount} />
    </FormSummary>
  )
}

interface Source {
  kind?: 'snapshot' | 'image'
  name?: string
  content?: string
  /** Bytes. */
  blockSize?: number
}

/** What is known of the source, from what its field has loaded. */
function useSource(
  project: string,
  { source, snapshotId, imageId, blockSize }: DiskFormValues,
): Source {
  const query = { project, limit: allItems }
  const ofSnapshots = { enabled: source === 'snapshot' }
  const ofImages = { enabled: source === 'image' }
  const snapshots = useQuery(q(snapshotList, { query }, ofSnapshots))
  const disks = useQuery(q(diskList, { query }, ofSnapshots))
  const own = useQuery(q(imageList, { query }, ofImages))
  const shared = useQuery(q(projectSiloImageList, { query }, ofImages))
  if (source === 'blank') return { content: text.blankText, blockSize: Number(blockSize) }
  if (source === 'import') return { content: text.importText, blockSize: Number(blockSize) }
  if (source === 'image') {
    const images = [...(own.data?.items ?? []), ...(shared.data?.items ?? [])]
    const image = images.find(({ id }) => id === imageId)
    if (!image) return {}
    return {
      kind: source,
      name: text.imageText(image.name),
      content: [image.os, image.version].filter(Boolean).join(' '),
      blockSize: image.blockSize,
    }
  }
  const snapshot = snapshots.data?.items.find(({ id }) => id === snapshotId)
  if (!snapshot) return {}
  const disk = disks.data?.items.find(({ id }) => id === snapshot.diskId)
  const date = formatDate(snapshot.timeCreated)
  return {
    kind: source,
    name: text.snapshotText(snapshot.name),
    content: disk ? text.ofDiskText(disk.name, date) : text.takenText(date),
    blockSize: disk?.blockSize,
  }
}
