/** What the URL of the form for a new disk says of its source: the id of a snapshot or of an image. */
export interface DiskSourceSearch {
  snapshot?: string
  image?: string
}

/** `validateSearch` of the form for a new disk. */
export function diskSourceSearch({ snapshot, image }: Record<string, unknown>): DiskSourceSearch {
  if (typeof snapshot === 'string' && snapshot) return { snapshot }
  return typeof image === 'string' && image ? { image } : {}
}

/** The path of the form for a new disk with this source. */
export const newDiskPath = (project: string, source: DiskSourceSearch): string =>
  `/projects/${project}/disks-new?${new URLSearchParams({ ...source }).toString()}`

/** The path of the form for a new instance that starts from this image. */
export const newInstancePath = (project: string, image: string): string =>
  `/projects/${project}/instances-new?${new URLSearchParams({ image }).toString()}`
