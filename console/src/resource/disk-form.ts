import type { BlockSize, Disk, DiskCreate } from '~/api/generated/types.gen'
import { GIB } from '~/lib/units'

import { diskCan } from './disk-state'

/** Block sizes of a blank disk, in bytes. */
export const BLOCK_SIZES = [512, 2048, 4096] as const satisfies readonly BlockSize[]

/** What a person enters to make a disk. */
export interface DiskFormValues {
  name: string
  description: string
  /** Bytes; radio groups deal in text. */
  blockSize: `${(typeof BLOCK_SIZES)[number]}`
  /** GiB */
  size: number
}

/** A new blank disk before anything was entered. */
export const DISK_FORM_DEFAULTS: DiskFormValues = {
  name: '',
  description: '',
  blockSize: '4096',
  size: 10,
}

/** The body of `diskCreate`. */
export function diskCreateBody({ name, description, blockSize, size }: DiskFormValues): DiskCreate {
  return {
    name,
    description,
    size: size * GIB,
    diskSource: { type: 'blank', blockSize: Number(blockSize) as BlockSize },
  }
}

/** The disks that an instance could take, without those whose names are given. */
export function attachableDisks<D extends Pick<Disk, 'name' | 'state'>>(
  disks: readonly D[],
  taken: readonly string[] = [],
): D[] {
  return disks.filter((disk) => diskCan('attach', disk) && !taken.includes(disk.name))
}
