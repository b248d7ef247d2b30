import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'

import { diskList, imageList, projectSiloImageList, snapshotList } from '~/api/generated/operations'
import type { Image, Snapshot } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { formatDate } from '~/lib/dates'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/disk'
import { ListboxField } from '~/ui/form/listbox-field'

import type { DiskFormValues } from './disk-form'

interface SourceFieldProps {
  /** Name of the disk's project. */
  project: string
  control: Control<DiskFormValues>
  /** Called with the size of the selected source, in bytes. */
  onChoose: (size: number) => void
}

/** Selects the snapshot or image that a disk is created from. */
export function DiskSourceField({
  kind,
  ...props
}: SourceFieldProps & { kind: 'snapshot' | 'image' }) {
  return kind === 'snapshot' ? <SnapshotField {...props} /> : <ImageField {...props} />
}

const sizeOf = (sources: readonly { id: string; size: number }[], chosen: string): number =>
  sources.find(({ id }) => id === chosen)?.size ?? 0

/** One line about a snapshot. `disk` is the name of its disk, if that still exists. */
const snapshotDetail = ({ timeCreated, size }: Snapshot, disk: string | undefined): string =>
  text.snapshotDetailText(formatDate(timeCreated), disk, formatBytes(size))

function SnapshotField({ project, control, onChoose }: SourceFieldProps) {
  const query = { project, limit: allItems }
  const { data, isPending } = useQuery(q(snapshotList, { query }))
  const disks = useQuery(q(diskList, { query }))
  const names = new Map(disks.data?.items.map(({ id, name }) => [id, name]))
  const snapshots = (data?.items ?? []).filter(
    // A snapshot in creation can be selected too: the disk waits for it.
    ({ state }) => state === 'ready' || state === 'creating',
  )
  return (
    <ListboxField
      name="snapshotId"
      control={control}
      label={text.sourceSnapshotLabel}
      required
      placeholder={text.snapshotPlaceholder}
      isLoading={isPending || disks.isPending}
      options={snapshots.map((snapshot) => ({
        value: snapshot.id,
        label: snapshot.name,
        detail: snapshotDetail(snapshot, names.get(snapshot.diskId)),
      }))}
      onChange={(id) => onChoose(sizeOf(snapshots, id))}
    />
  )
}

const imageDetail = ({ os, version, size, projectId }: Image): string =>
  [os, version, formatBytes(size), projectId ? text.projectImageLabel : text.siloImageLabel]
    .filter(Boolean)
    .join(' / ')

function ImageField({ project, control, onChoose }: SourceFieldProps) {
  const own = useQuery(q(imageList, { query: { project, limit: allItems } }))
  const shared = useQuery(q(projectSiloImageList, { query: { project, limit: allItems } }))
  const images = [...(own.data?.items ?? []), ...(shared.data?.items ?? [])]
  return (
    <ListboxField
      name="imageId"
      control={control}
      label={text.sourceImageLabel}
      required
      placeholder={text.imagePlaceholder}
      isLoading={own.isPending || shared.isPending}
      options={images.map((image) => ({
        value: image.id,
        label: image.name,
        detail: imageDetail(image),
      }))}
      onChange={(id) => onChoose(sizeOf(images, id))}
    />
  )
}
