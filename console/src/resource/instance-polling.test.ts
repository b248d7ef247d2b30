import { describe, expect, it } from 'vitest'

import type { Instance } from '~/api/generated/types.gen'

import {
  instanceListPolling,
  instanceViewInterval,
  serialConsoleInterval,
} from './instance-polling'
import type { InstanceRunState } from './instance-state'

const row = (id: string, runState: InstanceRunState) => ({ id, runState })
const start = Date.UTC(2025, 6, 1)

describe('the list', () => {
  const fetched = (after: number, ...items: ReturnType<typeof row>[]) => ({
    state: { data: { items }, dataUpdatedAt: start + after },
  })

  it('is slow before the first answer and when nothing changes', () => {
    const interval = instanceListPolling()
    expect(interval({ state: { dataUpdatedAt: 0 } })).toBe(60_000)
    expect(interval(fetched(0, row('a', 'running')))).toBe(60_000)
  })

  it('starts fast on a page with a changing instance', () => {
    const interval = instanceListPolling()
    expect(interval(fetched(0, row('a', 'starting')))).toBe(3_000)
    expect(interval(fetched(29_999, row('a', 'starting')))).toBe(3_000)
  })

  it('becomes slow after 30 s of the same change', () => {
    const interval = instanceListPolling()
    interval(fetched(0, row('a', 'starting')))
    expect(interval(fetched(30_000, row('a', 'starting')))).toBe(60_000)
  })

  it('stays fast when the same instance moves to another changing state', () => {
    const interval = instanceListPolling()
    interval(fetched(0, row('a', 'creating')))
    interval(fetched(29_000, row('a', 'starting')))
    expect(interval(fetched(58_000, row('a', 'starting')))).toBe(3_000)
  })

  it('gains no time when an instance comes to rest', () => {
    const interval = instanceListPolling()
    interval(fetched(0, row('a', 'starting'), row('b', 'stopping')))
    interval(fetched(29_000, row('a', 'starting'), row('b', 'stopped')))
    expect(interval(fetched(30_000, row('a', 'starting'), row('b', 'stopped')))).toBe(60_000)
  })

  it('is slow at once when everything has come to rest', () => {
    const interval = instanceListPolling()
    interval(fetched(0, row('a', 'starting')))
    expect(interval(fetched(3_000, row('a', 'running')))).toBe(60_000)
  })

  it('counts a page once, however often it is asked', () => {
    const interval = instanceListPolling()
    const page = fetched(0, row('a', 'starting'))
    expect([interval(page), interval(page), interval(page)]).toEqual([3_000, 3_000, 3_000])
    expect(interval(fetched(30_000, row('a', 'starting')))).toBe(60_000)
  })
})

describe('one instance', () => {
  const instance = (runState: InstanceRunState, rest: Partial<Instance> = {}) =>
    ({ runState, autoRestartEnabled: false, ...rest }) as Instance

  it('is fetched every 2 s while it changes and not at all at rest', () => {
    for (const runState of ['creating', 'starting', 'stopping', 'rebooting'] as const) {
      expect(instanceViewInterval(instance(runState), start)).toBe(2_000)
    }
    for (const runState of ['running', 'stopped', 'failed', 'migrating', 'repairing'] as const) {
      expect(instanceViewInterval(instance(runState), start)).toBe(false)
    }
  })

  it('is watched for an automatic restart', () => {
    const failed = instance('failed', { autoRestartEnabled: true })
    expect(instanceViewInterval(failed, start)).toBe(2_000)
    const waiting = { ...failed, autoRestartCooldownExpiration: new Date(start + 1) }
    expect(instanceViewInterval(waiting, start)).toBe(30_000)
    expect(instanceViewInterval(waiting, start + 1)).toBe(2_000)
  })

  it('is watched by the serial console while a start or a stop is under way', () => {
    expect(serialConsoleInterval({ runState: 'creating' })).toBe(1_000)
    expect(serialConsoleInterval({ runState: 'starting' })).toBe(1_000)
    expect(serialConsoleInterval({ runState: 'stopping' })).toBe(1_000)
    expect(serialConsoleInterval({ runState: 'running' })).toBe(false)
    expect(serialConsoleInterval({ runState: 'stopped' })).toBe(false)
  })
})
