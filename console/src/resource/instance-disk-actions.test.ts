import { describe, expect, it } from 'vitest'

import type { Disk, Instance } from '~/api/generated/types.gen'

import { additionalDiskActions, bootDiskActions } from './instance-disk-actions'

const disk = { id: 'd', name: 'data', state: { state: 'attached', instance: 'i' } } as Disk
const detaching = { ...disk, state: { state: 'detaching', instance: 'i' } } as Disk
const instance = (runState: Instance['runState'], bootDiskId = 'b') =>
  ({ id: 'i', runState, bootDiskId }) as Instance

const reasons = (actions: ReturnType<typeof bootDiskActions>) =>
  actions.map(({ label, disabledReason }) => [label, disabledReason])

describe('the boot disk', () => {
  it('can be unset while the instance is stopped, and never detached', () => {
    const detach = ['Detach', 'Boot disk must be unset before it can be detached']
    expect(reasons(bootDiskActions(disk, instance('stopped', 'd'), 'web'))).toEqual([
      ['Snapshot', undefined],
      ['Unset as boot disk', undefined],
      ['Show as code', undefined],
      detach,
    ])
    expect(reasons(bootDiskActions(disk, instance('running', 'd'), 'web'))).toEqual([
      ['Snapshot', undefined],
      ['Unset as boot disk', 'Instance must be stopped before boot disk can be changed'],
      ['Show as code', undefined],
      detach,
    ])
  })
})

describe('another disk', () => {
  it('can be made the boot disk or detached while the instance is stopped', () => {
    expect(reasons(additionalDiskActions(disk, instance('failed'), undefined, 'web'))).toEqual([
      ['Snapshot', undefined],
      ['Set as boot disk', undefined],
      ['Show as code', undefined],
      ['Detach', undefined],
    ])
  })

  it('waits for the instance first, and for the disk second', () => {
    expect(
      reasons(additionalDiskActions(detaching, instance('running'), undefined, 'web')),
    ).toEqual([
      ['Snapshot', 'Only disks in state attached or detached can be snapshotted'],
      ['Set as boot disk', 'Instance must be stopped before boot disk can be changed'],
      ['Show as code', undefined],
      ['Detach', 'Instance must be stopped before disk can be detached'],
    ])
    expect(reasons(additionalDiskActions(detaching, instance('stopped'), disk, 'web'))).toEqual([
      ['Snapshot', 'Only disks in state attached or detached can be snapshotted'],
      ['Set as boot disk', 'Only attached disks can be the boot disk'],
      ['Show as code', undefined],
      ['Detach', 'Only attached disks can be detached'],
    ])
  })
})
