import type { BlockSize, Disk, DiskCreate, DiskSource } from '~/api/generated/types.gen'
import { bytesToGib, GIB, roundUpToTenGib } from '~/lib/units'
import * as text from '~/messages/disk'

import { diskCan } from './disk-state'

/** Block sizes of a disk without a source, in bytes. */
const BLOCK_SIZES = [512, 2048, 4096] as const satisfies readonly BlockSize[]

/** The block sizes as options of a radio group. */
export const BLOCK_SIZE_OPTIONS = BLOCK_SIZES.map((size) => ({ value: `${size}`, label: size }))

/** The content of a new disk: nothing, a copy, or what is written through the API before the disk can be used. */
export type DiskSourceKind = 'blank' | 'snapshot' | 'image' | 'import'

/** The values of the form for a new disk. */
export interface DiskFormValues {
  name: string
  description: string
  source: DiskSourceKind
  /** Id of the source, if it is a snapshot. */
  snapshotId: string
  /** Id of the source, if it is an image. */
  imageId: string
  /** Size of the selected snapshot or image in bytes; 0 without one. */
  sourceSize: number
  /** Block size in bytes, for a disk without a source. A string, because radio groups use strings. */
  blockSize: `${(typeof BLOCK_SIZES)[number]}`
  /** GiB */
  size: number
}

/** The initial values of the form. */
export const DISK_FORM_DEFAULTS: DiskFormValues = {
  name: '',
  description: '',
  source: 'blank',
  snapshotId: '',
  imageId: '',
  sourceSize: 0,
  blockSize: '4096',
  size: 10,
}

/** A snapshot or image that a new disk is to be created from. */
export interface KnownSource {
  kind: 'snapshot' | 'image'
  id: string
  /** Bytes. */
  size: number
}

/** The initial values of the form for a disk with this source. */
export const diskFormDefaults = ({ kind, id, size }: KnownSource): DiskFormValues => ({
  ...DISK_FORM_DEFAULTS,
  source: kind,
  ...(kind === 'snapshot' ? { snapshotId: id } : { imageId: id }),
  sourceSize: size,
  size: sizeForSource(DISK_FORM_DEFAULTS.size, size),
})

/** The body of `diskCreate`. */
export function diskCreateBody(values: DiskFormValues): DiskCreate {
  const { name, description, size } = values
  return { name, description, size: size * GIB, diskSource: diskSourceOf(values) }
}

function diskSourceOf({ source, snapshotId, imageId, blockSize }: DiskFormValues): DiskSource {
  switch (source) {
    case 'snapshot':
      return { type: 'snapshot', snapshotId }
    case 'image':
      return { type: 'image', imageId }
    case 'import':
      return { type: 'importing_blocks', blockSize: Number(blockSize) as BlockSize }
    case 'blank':
      return { type: 'blank', blockSize: Number(blockSize) as BlockSize }
  }
}

/** The size to suggest, in GiB, when a source of `bytes` is selected and `current` was entered. Never less than either. */
export function sizeForSource(current: number, bytes: number): number {
  const needed = bytes / GIB
  return needed > current ? roundUpToTenGib(needed) : current
}

/** Why a disk of `size` GiB cannot hold a source of `bytes`, if it cannot. */
export function sourceSizeRefusal(
  size: number,
  bytes: number,
  kind: 'snapshot' | 'image',
): string | undefined {
  return size < bytes / GIB ? text.sourceTooLargeError[kind](bytesToGib(bytes)) : undefined
}

/** The disks that can be attached to an instance, without those with the given names. */
export function attachableDisks<D extends Pick<Disk, 'name' | 'state'>>(
  disks: readonly D[],
  taken: readonly string[] = [],
): D[] {
  return disks.filter((disk) => diskCan('attach', disk) && !taken.includes(disk.name))
}
