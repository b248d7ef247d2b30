import { describe, expect, it } from 'vitest'

import { INSTANCE_FORM_DEFAULTS, instanceCreateBody, takenDiskNames } from './instance-form'

const values = { ...INSTANCE_FORM_DEFAULTS, name: 'web', description: 'front' }
const gib = 1024 ** 3

describe('instanceCreateBody', () => {
  it('sends the preset, a new boot disk and no networking', () => {
    expect(instanceCreateBody({ ...values, bootDiskName: 'web-boot' })).toEqual({
      name: 'web',
      description: 'front',
      start: true,
      hostname: 'web',
      ncpus: 2,
      memory: 8 * gib,
      bootDisk: {
        type: 'create',
        name: 'web-boot',
        description: 'Created as a boot disk for web',
        size: 10 * gib,
        diskSource: { type: 'blank', blockSize: 4096 },
      },
      disks: [],
      sshPublicKeys: [],
      networkInterfaces: { type: 'none' },
      externalIps: [],
    })
  })

  it('makes up a boot disk name from the instance name', () => {
    const body = instanceCreateBody(values)
    expect(body.bootDisk?.name).toMatch(/^web-boot-[0-9a-f]{6}$/)
  })

  it('sends custom hardware only from the custom tab', () => {
    const custom = { ...values, ncpus: 3, memory: 5 }
    expect(instanceCreateBody({ ...custom, hardware: 'custom' })).toMatchObject({
      ncpus: 3,
      memory: 5 * gib,
    })
    const preset = { ...custom, hardware: 'high-memory', preset: 'high-memory-4' } as const
    expect(instanceCreateBody(preset)).toMatchObject({ ncpus: 4, memory: 32 * gib })
  })

  it('boots from an existing disk without the fields of the other tab', () => {
    const body = instanceCreateBody({
      ...values,
      bootSource: 'disk',
      bootDisk: 'old-boot',
      bootDiskName: 'ignored',
    })
    expect(body.bootDisk).toEqual({ type: 'attach', name: 'old-boot' })
  })

  it('creates and attaches additional disks without leaking form fields', () => {
    const body = instanceCreateBody({
      ...values,
      disks: [
        { type: 'create', name: 'data', description: '', blockSize: '512', size: 3 },
        { type: 'attach', name: 'logs', size: 7 },
      ],
    })
    expect(body.disks).toEqual([
      {
        type: 'create',
        name: 'data',
        description: '',
        size: 3 * gib,
        diskSource: { type: 'blank', blockSize: 512 },
      },
      { type: 'attach', name: 'logs' },
    ])
  })

  it('keeps an own hostname and the wish not to start', () => {
    const body = instanceCreateBody({ ...values, hostname: 'web-1', start: false })
    expect(body).toMatchObject({ hostname: 'web-1', start: false })
  })
})

describe('takenDiskNames', () => {
  it('collects the project, the form and the new boot disk', () => {
    const form = {
      ...values,
      bootDiskName: 'boot',
      disks: [{ type: 'attach' as const, name: 'logs', size: 1 }],
    }
    expect(takenDiskNames([{ name: 'old' }], form)).toEqual(['old', 'logs', 'boot'])
    expect(takenDiskNames([], { ...form, bootSource: 'disk' })).toEqual(['logs'])
  })
})
