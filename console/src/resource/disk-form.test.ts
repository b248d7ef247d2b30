import { describe, expect, it } from 'vitest'

import { GIB } from '~/lib/units'

import {
  attachableDisks,
  DISK_FORM_DEFAULTS,
  diskCreateBody,
  diskFormDefaults,
  sizeForSource,
  sourceSizeRefusal,
} from './disk-form'

describe('diskCreateBody', () => {
  it('asks for a blank disk in bytes', () => {
    const body = diskCreateBody({ ...DISK_FORM_DEFAULTS, name: 'data', description: 'for backups' })
    expect(body).toEqual({
      name: 'data',
      description: 'for backups',
      size: 10_737_418_240,
      diskSource: { type: 'blank', blockSize: 4096 },
    })
  })

  it('sends the block size as a number', () => {
    const body = diskCreateBody({ ...DISK_FORM_DEFAULTS, name: 'data', blockSize: '512' })
    expect(body.diskSource).toEqual({ type: 'blank', blockSize: 512 })
  })
})

describe('a source that is known before', () => {
  it('is selected, with a size that fits', () => {
    const source = { kind: 'snapshot', id: 's', size: 12 * GIB } as const
    expect(diskFormDefaults(source)).toMatchObject({
      source: 'snapshot',
      snapshotId: 's',
      sourceSize: 12 * GIB,
      size: 20,
    })
    expect(diskFormDefaults({ ...source, kind: 'image', size: GIB })).toMatchObject({
      source: 'image',
      imageId: 's',
      size: 10,
    })
  })
})

describe('sources', () => {
  const values = { ...DISK_FORM_DEFAULTS, name: 'data', snapshotId: 's', imageId: 'i' }

  it('sends only what the chosen source needs', () => {
    expect(diskCreateBody({ ...values, source: 'snapshot' }).diskSource).toEqual({
      type: 'snapshot',
      snapshotId: 's',
    })
    expect(diskCreateBody({ ...values, source: 'image' }).diskSource).toEqual({
      type: 'image',
      imageId: 'i',
    })
    expect(diskCreateBody({ ...values, source: 'import', blockSize: '2048' }).diskSource).toEqual({
      type: 'importing_blocks',
      blockSize: 2048,
    })
  })

  it.each([
    [5, 4, 5],
    [5, 6, 10],
    [10, 5, 10],
    [10, 10, 10],
    [10, 10.5, 20],
    [10, 1021, 1023],
  ])('raises %s GiB for a source of %s GiB to %s', (current, source, expected) => {
    expect(sizeForSource(current, source * GIB)).toBe(expected)
  })

  it('says how large the disk has to be', () => {
    expect(sourceSizeRefusal(20, 20 * GIB, 'image')).toBeUndefined()
    expect(sourceSizeRefusal(10, 20 * GIB, 'snapshot')).toBe(
      'Must be as large as selected snapshot (min. 20 GiB)',
    )
    expect(sourceSizeRefusal(1, 1.256 * GIB, 'image')).toBe(
      'Must be as large as selected image (min. 1.26 GiB)',
    )
  })
})

describe('attachableDisks', () => {
  const disks = [
    { name: 'free', state: { state: 'detached' } },
    { name: 'new', state: { state: 'creating' } },
    { name: 'busy', state: { state: 'attached', instance: 'i' } },
    { name: 'broken', state: { state: 'faulted' } },
  ] as const
  const names = (taken?: string[]) => attachableDisks(disks, taken).map((disk) => disk.name)

  it('offers only disks whose state allows it', () => {
    expect(names()).toEqual(['free', 'new'])
  })

  it('leaves out those that are already chosen', () => {
    expect(names(['free'])).toEqual(['new'])
  })
})
