import { describe, expect, it } from 'vitest'

import { DISK_FORM_DEFAULTS } from './disk-form'
import {
  bootDefaults,
  bootDiskSizeFor,
  INSTANCE_FORM_DEFAULTS,
  instanceCreateBody as bodyWith,
  takenDiskNames,
  USER_DATA_MAX,
  validateUserData,
} from './instance-form'
import type { InstanceFormContext, InstanceFormValues } from './instance-form'

const values: InstanceFormValues = {
  ...INSTANCE_FORM_DEFAULTS,
  name: 'web',
  description: 'front',
  bootSource: 'blank',
}
const gib = 1024 ** 3
const image = (name: string, size: number) => ({ id: `${name}-id`, name, size: size * gib })
const images = [image('debian', 3), image('alpine', 15)]

const instanceCreateBody = (
  entered: InstanceFormValues,
  context: Partial<InstanceFormContext> = {},
) => bodyWith(entered, { images, ...context })

describe('instanceCreateBody', () => {
  it('sends the preset, a new boot disk and the usual networking', () => {
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
      networkInterfaces: { type: 'default' },
      externalIps: [{ type: 'ephemeral' }],
      antiAffinityGroups: [],
    })
  })

  it('sends the chosen interfaces only where they are chosen', () => {
    const net0 = { name: 'net0', description: '', vpcName: 'prod', subnetName: 'front' }
    const network = (choice: InstanceFormValues['network']) =>
      instanceCreateBody({ ...values, network: choice, interfaces: [net0] }).networkInterfaces
    expect(network('create')).toEqual({ type: 'create', params: [net0] })
    expect(network('none')).toEqual({ type: 'none' })
    expect(network('default')).toEqual({ type: 'default' })
  })

  it('sends the ephemeral address with its pool, then the floating ones', () => {
    const chosen = { ephemeralPool: 'public', floatingIps: ['front', 'back'] }
    expect(instanceCreateBody({ ...values, ...chosen }).externalIps).toEqual([
      { type: 'ephemeral', pool: 'public' },
      { type: 'floating', floatingIp: 'front' },
      { type: 'floating', floatingIp: 'back' },
    ])
    const without = instanceCreateBody({ ...values, ...chosen, ephemeral: false })
    expect(without.externalIps?.map(({ type }) => type)).toEqual(['floating', 'floating'])
  })

  it.each(['silo-image', 'project-image'] as const)('makes a boot disk from a %s', (bootSource) => {
    const chosen = { siloImage: 'debian-id', projectImage: 'alpine-id', bootSource }
    const name = bootSource === 'silo-image' ? 'debian' : 'alpine'
    const { bootDisk } = instanceCreateBody({ ...values, ...chosen, bootDiskSize: 20 })
    expect(bootDisk).toMatchObject({
      size: 20 * gib,
      diskSource: { type: 'image', imageId: `${name}-id` },
    })
    expect(bootDisk?.name).toMatch(new RegExp(`^web-${name}-[0-9a-f]{6}$`))
  })

  it('sends user data only when there is some', () => {
    expect(instanceCreateBody(values)).not.toHaveProperty('userData')
    expect(instanceCreateBody(values, { userData: 'aGk=' })).toMatchObject({ userData: 'aGk=' })
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
        { ...DISK_FORM_DEFAULTS, type: 'create', name: 'data', blockSize: '512', size: 3 },
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

describe('the boot disk of an image', () => {
  it('begins with the images that there are, the silo’s first', () => {
    const [small, large] = images
    if (!small || !large) throw new Error('two images')
    expect(bootDefaults([small], [large])).toEqual({ bootSource: 'silo-image', bootDiskSize: 10 })
    expect(bootDefaults([], [large])).toEqual({ bootSource: 'project-image', bootDiskSize: 20 })
    expect(bootDefaults([], [])).toEqual({ bootSource: 'disk', bootDiskSize: 10 })
  })

  it('is raised to hold a larger image and never lowered', () => {
    expect(bootDiskSizeFor({ size: 4 * gib }, 5)).toBe(5)
    expect(bootDiskSizeFor({ size: 6 * gib }, 5)).toBe(10)
    expect(bootDiskSizeFor({ size: 5 * gib }, 10)).toBe(10)
    expect(bootDiskSizeFor({ size: 1022 * gib }, 10)).toBe(1023)
    expect(bootDiskSizeFor(undefined, 3)).toBe(3)
  })
})

it('limits user data to 32 KiB', () => {
  expect(validateUserData(null)).toBeUndefined()
  expect(validateUserData({ size: USER_DATA_MAX })).toBeUndefined()
  expect(validateUserData({ size: USER_DATA_MAX + 1 })).toBe('Must be 32 KiB or smaller')
})
