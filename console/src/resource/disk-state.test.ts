import { describe, expect, it } from 'vitest'

import { diskInterval } from './disk-polling'
import type { DiskCapability, DiskStateWord } from './disk-state'
import {
  diskAttachedRefusal,
  diskCan,
  diskDeleteRefusal,
  diskInstanceId,
  diskSnapshotRefusal,
  isImporting,
} from './disk-state'

const STATES: DiskStateWord[] = [
  'attaching',
  'attached',
  'detaching',
  'creating',
  'detached',
  'import_ready',
  'importing_from_url',
  'importing_from_bulk_writes',
  'finalizing',
  'maintenance',
  'destroyed',
  'faulted',
]
const inState = (state: DiskStateWord) => ({ state: { state } })

const ALLOWED: Record<DiskCapability, DiskStateWord[]> = {
  delete: ['detached', 'faulted'],
  snapshot: ['attached', 'detached'],
  attach: ['creating', 'detached'],
  detach: ['attached'],
  setAsBootDisk: ['attached'],
}

describe('disk capabilities', () => {
  for (const capability of Object.keys(ALLOWED) as DiskCapability[]) {
    it(`${capability}: allowed in exactly the states of the rules`, () => {
      expect(STATES.filter((state) => diskCan(capability, inState(state)))).toEqual(
        ALLOWED[capability],
      )
    })
  }

  it('says what to do with an attached disk, and which states can be deleted otherwise', () => {
    expect(diskDeleteRefusal(inState('attached'))).toBe(
      'Disk must be detached before it can be deleted',
    )
    expect(diskDeleteRefusal(inState('maintenance'))).toBe(
      'Only disks in state detached or faulted can be deleted',
    )
    expect(diskDeleteRefusal(inState('faulted'))).toBeUndefined()
  })

  it('says which states a snapshot needs', () => {
    expect(diskSnapshotRefusal(inState('attached'))).toBeUndefined()
    expect(diskSnapshotRefusal(inState('import_ready'))).toBe(
      'Only disks in state attached or detached can be snapshotted',
    )
  })

  it('knows the states in which somebody imports into a disk', () => {
    expect(STATES.filter((state) => isImporting(inState(state)))).toEqual([
      'import_ready',
      'importing_from_bulk_writes',
    ])
  })

  it('refuses to detach or boot from a disk that is not attached', () => {
    expect(diskAttachedRefusal('detach', inState('detaching'))).toMatch(/^Only attached/)
    expect(diskAttachedRefusal('setAsBootDisk', inState('attaching'))).toMatch(/^Only attached/)
    expect(diskAttachedRefusal('detach', inState('attached'))).toBeUndefined()
  })
})

describe('diskInstanceId', () => {
  it('reads the instance only from states that carry one', () => {
    expect(diskInstanceId({ state: { state: 'attached', instance: 'i' } })).toBe('i')
    expect(diskInstanceId({ state: { state: 'detached' } })).toBeUndefined()
  })
})

describe('diskInterval', () => {
  it('polls only while a disk changes by itself', () => {
    expect(diskInterval(undefined)).toBe(false)
    expect(diskInterval([inState('attached'), inState('import_ready')])).toBe(false)
    for (const state of [
      'creating',
      'attaching',
      'detaching',
      'finalizing',
      'maintenance',
    ] as const) {
      expect(diskInterval([inState('attached'), inState(state)])).toBe(3_000)
    }
  })
})
