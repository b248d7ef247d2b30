import type { Disk, Image, Snapshot } from '~/api/generated/types.gen'

/** The kinds of things that are created from one another. */
export type StoredKind = 'disk' | 'snapshot' | 'image'

/** A disk, snapshot or image by its id. It may be deleted. */
export interface StoredRef {
  kind: StoredKind
  id: string
}

/** What the lineage of disks, snapshots and images shows of one of them. */
export interface StoredThing extends StoredRef {
  name: string
  timeCreated: Date
  /** Bytes. */
  size: number
  /** Absent from an image of the silo. */
  projectId?: string | null
  /** What it was created from. The API says nothing about the source of an image, and a blank disk has none. */
  source?: StoredRef
}

/** A disk; a disk created from a snapshot also has the image of the first disk, so the snapshot comes first. */
export const diskThing = ({ snapshotId, imageId, ...disk }: Disk): StoredThing => ({
  ...common(disk),
  kind: 'disk',
  source: snapshotId
    ? { kind: 'snapshot', id: snapshotId }
    : imageId
      ? { kind: 'image', id: imageId }
      : undefined,
})

export const snapshotThing = ({ diskId, ...snapshot }: Snapshot): StoredThing => ({
  ...common(snapshot),
  kind: 'snapshot',
  source: { kind: 'disk', id: diskId },
})

export const imageThing = (image: Image): StoredThing => ({ ...common(image), kind: 'image' })

const common = ({
  id,
  name,
  timeCreated,
  size,
  projectId,
}: Pick<Image, 'id' | 'name' | 'timeCreated' | 'size' | 'projectId'>) => ({
  id,
  name,
  timeCreated,
  size,
  projectId,
})

/** A thing with what was created from it. */
export interface Descendant {
  thing: StoredThing
  made: Descendant[]
}

/**
 * What was created from a thing, and from that in turn, the oldest first.
 *
 * @param things the disks and snapshots to look in.
 */
export function descendantsOf({ id }: StoredRef, things: readonly StoredThing[]): Descendant[] {
  const oldestFirst = things.toSorted(
    (one, other) => one.timeCreated.getTime() - other.timeCreated.getTime(),
  )
  const below = (source: string): Descendant[] =>
    oldestFirst
      .filter((thing) => thing.source?.id === source)
      .map((thing) => ({ thing, made: below(thing.id) }))
  return below(id)
}

/** The path of the page of a thing. */
export function storedPath({ kind, name, projectId }: StoredThing, project: string): string {
  const isOfSilo = kind === 'image' && !projectId
  return `${isOfSilo ? '' : `/projects/${project}`}/${kind}s/${name}`
}
