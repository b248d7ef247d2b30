import { describe, expect, it } from 'vitest'

import type { Disk, Image, Snapshot } from '~/api/generated/types.gen'

import { descendantsOf, diskThing, imageThing, snapshotThing, storedPath } from './lineage'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))

const disk = (id: string, day: number, source: Partial<Disk> = {}) =>
  diskThing({ id, name: id, timeCreated: at(day), size: 1, projectId: 'p', ...source } as Disk)

const snapshot = (id: string, day: number, diskId: string) =>
  snapshotThing({
    id,
    name: id,
    timeCreated: at(day),
    size: 1,
    projectId: 'p',
    diskId,
  } as Snapshot)

const image = (id: string, projectId?: string) =>
  imageThing({ id, name: id, timeCreated: at(1), size: 1, projectId } as Image)

describe('where something came from', () => {
  it('is the snapshot or the image of a disk', () => {
    expect(disk('d', 1, { imageId: 'i' }).source).toEqual({ kind: 'image', id: 'i' })
    expect(disk('d', 1, { snapshotId: 's' }).source).toEqual({ kind: 'snapshot', id: 's' })
    expect(disk('d', 1).source).toBeUndefined()
  })

  it('is the disk of a snapshot, and not known of an image', () => {
    expect(snapshot('s', 1, 'd').source).toEqual({ kind: 'disk', id: 'd' })
    expect(image('i', 'p').source).toBeUndefined()
  })
})

describe('what was created from something', () => {
  const things = [
    snapshot('later', 3, 'root'),
    snapshot('earlier', 2, 'root'),
    snapshot('other', 2, 'elsewhere'),
    disk('copy', 4, { snapshotId: 'later' }),
    snapshot('of-copy', 5, 'copy'),
    disk('root', 1, { imageId: 'image' }),
  ]
  const names = (ref: string, kind: 'disk' | 'image') => {
    const tree = descendantsOf({ kind, id: ref }, things)
    const print = ({ thing, made }: (typeof tree)[number]): unknown => [
      thing.name,
      ...made.map(print),
    ]
    return tree.map(print)
  }

  it('stands with what was created from that in turn, the oldest first', () => {
    expect(names('root', 'disk')).toEqual([['earlier'], ['later', ['copy', ['of-copy']]]])
    expect(names('image', 'image')).toEqual([
      ['root', ['earlier'], ['later', ['copy', ['of-copy']]]],
    ])
  })

  it('is nothing for what nothing was created from', () => {
    expect(names('of-copy', 'disk')).toEqual([])
  })
})

describe('the page of something', () => {
  it.each([
    [disk('data', 1), '/projects/web/disks/data'],
    [snapshot('daily', 1, 'data'), '/projects/web/snapshots/daily'],
    [image('own', 'p'), '/projects/web/images/own'],
    [image('shared'), '/images/shared'],
  ])('%o', (thing, path) => {
    expect(storedPath(thing, 'web')).toBe(path)
  })
})
