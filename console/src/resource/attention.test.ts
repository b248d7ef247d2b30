import { describe, expect, it } from 'vitest'

import type { Disk, Instance, Snapshot } from '~/api/generated/types.gen'

import { concernPath, concernsOf, countStates } from './attention'

const MINUTE = 60_000
const now = Date.UTC(2026, 0, 1)
const ago = (minutes: number) => new Date(now - minutes * MINUTE)

const instance = (name: string, runState: Instance['runState'], minutes: number) =>
  ({ id: name, name, runState, timeRunStateUpdated: ago(minutes) }) as Instance

const disk = (name: string, state: Disk['state']['state'], minutes: number) =>
  ({ id: name, name, state: { state }, timeCreated: ago(minutes) }) as Disk

const snapshot = (name: string, state: Snapshot['state'], minutes: number) =>
  ({ id: name, name, state, timeCreated: ago(minutes) }) as Snapshot

const names = (resources: Parameters<typeof concernsOf>[0]) =>
  concernsOf(resources, now).map(({ name }) => name)

describe('what needs attention', () => {
  it('is an instance that failed, or that should have left its state', () => {
    const instances = [
      instance('runs', 'running', 900),
      instance('rests', 'stopped', 900),
      instance('starts', 'starting', 0.5),
      instance('hangs', 'starting', 3),
      instance('failed', 'failed', 1),
      instance('failed-before', 'failed', 90),
    ]
    expect(names({ instances })).toEqual(['failed-before', 'failed', 'hangs'])
    expect(concernsOf({ instances: [instance('hangs', 'stopping', 3)] }, now)).toEqual([
      {
        kind: 'instance',
        id: 'hangs',
        name: 'hangs',
        state: 'stopping',
        since: ago(3),
        isFailure: false,
      },
    ])
  })

  it('is a disk or snapshot that is faulty or takes too long, an import after an hour', () => {
    const disks = [
      disk('fine', 'attached', 900),
      disk('faulty', 'faulted', 5),
      disk('slow', 'creating', 5),
      disk('uploading', 'importing_from_bulk_writes', 30),
      disk('left-behind', 'import_ready', 61),
    ]
    const snapshots = [
      snapshot('ready', 'ready', 900),
      snapshot('slow-copy', 'creating', 2),
      snapshot('broken', 'faulted', 900),
    ]
    expect(names({ instances: [], disks, snapshots })).toEqual([
      'broken',
      'faulty',
      'left-behind',
      'slow',
      'slow-copy',
    ])
  })

  it('has a screen that says more', () => {
    const [failed, faulty] = concernsOf(
      { instances: [instance('db', 'failed', 1)], disks: [disk('data', 'faulted', 0)] },
      now,
    )
    expect(failed && concernPath(failed, 'web')).toBe('/projects/web/instances/db/activity')
    expect(faulty && concernPath(faulty, 'web')).toBe('/projects/web/disks/data')
  })
})

it('counts instances by state, the most frequent first', () => {
  const instances = ['stopped', 'running', 'running'].map((state) => ({
    runState: state as Instance['runState'],
  }))
  expect(countStates(instances)).toEqual([
    ['running', 2],
    ['stopped', 1],
  ])
})
