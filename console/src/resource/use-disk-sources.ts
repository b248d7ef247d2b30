import { useQuery } from '@tanstack/react-query'

import { diskList, imageList, snapshotList } from '~/api/generated/operations'
import type { Image, Snapshot } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { q } from '~/api/query'
import { formatDate } from '~/lib/dates'
import { formatBytes } from '~/lib/units'
import type { ListOption } from '~/ui/form/list-options'

/** What disks can be made from, of one kind. */
export interface DiskSources {
  options: ListOption[]
  isLoading: boolean
  /** Size in bytes; 0 for what is not there. */
  sizeOf: (id: string) => number
}

const sizeIn =
  (sources: readonly { id: string; size: number }[]) =>
  (id: string): number =>
    sources.find((source) => source.id === id)?.size ?? 0

/** One line about an image, under its name. */
const imageDetail = ({ os, version, size, projectId }: Image): string =>
  [os, version, formatBytes(size), projectId ? 'Project image' : 'Silo image']
    .filter(Boolean)
    .join(' / ')

/** One line about a snapshot; `disk` is the name of the disk that it was taken of, while that is there. */
const snapshotDetail = ({ timeCreated, size }: Snapshot, disk: string | undefined): string =>
  `Created on ${formatDate(timeCreated)}${disk ? ` from ${disk}` : ''} / ${formatBytes(size)}`

/** Every snapshot and image that a disk of the project can be made from; images of the project come first. */
export function useDiskSources(project: string): { snapshots: DiskSources; images: DiskSources } {
  const query = { project, limit: allItems }
  const snapshotPage = useQuery(q(snapshotList, { query }))
  const diskPage = useQuery(q(diskList, { query }))
  const ownPage = useQuery(q(imageList, { query }))
  const siloPage = useQuery(q(imageList, { query: { limit: allItems } }))

  const snapshots = (snapshotPage.data?.items ?? []).filter(({ state }) => state === 'ready')
  const diskNames = new Map(diskPage.data?.items.map(({ id, name }) => [id, name]))
  const images = [...(ownPage.data?.items ?? []), ...(siloPage.data?.items ?? [])]
  return {
    snapshots: {
      isLoading: snapshotPage.isPending || diskPage.isPending,
      sizeOf: sizeIn(snapshots),
      options: snapshots.map((snapshot) => ({
        value: snapshot.id,
        label: snapshot.name,
        detail: snapshotDetail(snapshot, diskNames.get(snapshot.diskId)),
      })),
    },
    images: {
      isLoading: ownPage.isPending || siloPage.isPending,
      sizeOf: sizeIn(images),
      options: images.map((image) => ({
        value: image.id,
        label: image.name,
        detail: imageDetail(image),
      })),
    },
  }
}
