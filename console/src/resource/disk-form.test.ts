import { describe, expect, it } from 'vitest'

import { attachableDisks, DISK_FORM_DEFAULTS, diskCreateBody } from './disk-form'

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
