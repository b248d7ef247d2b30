import { describe, expect, it } from 'vitest'

import type { Instance } from '~/api/generated/types.gen'

import { instanceUpdateBody } from './instance-update'

const instance = {
  ncpus: 2,
  memory: 1024,
  bootDiskId: 'boot-id',
  autoRestartPolicy: 'never',
} as Instance

describe('instanceUpdateBody', () => {
  it('keeps boot disk and restart policy when the size changes', () => {
    expect(instanceUpdateBody(instance, { ncpus: 4, memory: 2048 })).toEqual({
      ncpus: 4,
      memory: 2048,
      bootDisk: 'boot-id',
      autoRestartPolicy: 'never',
    })
  })

  it('keeps size and policy when the boot disk is changed or unset', () => {
    const rest = { ncpus: 2, memory: 1024, autoRestartPolicy: 'never' }
    expect(instanceUpdateBody(instance, { bootDisk: 'other' })).toEqual({
      ...rest,
      bootDisk: 'other',
    })
    expect(instanceUpdateBody(instance, { bootDisk: null })).toEqual({ ...rest, bootDisk: null })
  })

  it('sends nothing as nothing', () => {
    const bare = { ncpus: 1, memory: 1 } as Instance
    expect(instanceUpdateBody(bare, {})).toMatchObject({ bootDisk: null, autoRestartPolicy: null })
  })
})
