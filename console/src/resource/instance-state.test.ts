import { describe, expect, it } from 'vitest'

import type { InstanceCapability, InstanceRunState } from './instance-state'
import { instanceCan, instanceRefusal, isRestartingSoon, isTransitioning } from './instance-state'

const STATES: InstanceRunState[] = [
  'creating',
  'starting',
  'running',
  'stopping',
  'stopped',
  'rebooting',
  'migrating',
  'repairing',
  'failed',
  'destroyed',
]

const ALLOWED: Record<InstanceCapability, InstanceRunState[]> = {
  start: ['stopped', 'failed'],
  stop: ['starting', 'running', 'rebooting', 'failed'],
  reboot: ['running'],
  resize: ['creating', 'stopped', 'failed'],
  delete: ['stopped', 'failed'],
  updateBootDisk: ['creating', 'stopped', 'failed'],
  attachDisk: ['creating', 'stopped'],
  createDisk: ['creating', 'stopped'],
  detachDisk: ['creating', 'stopped', 'failed'],
  addInterface: ['stopped'],
  makeInterfacePrimary: ['stopped'],
  editInterface: ['stopped'],
  deleteInterface: ['stopped'],
  addToAntiAffinityGroup: ['stopped'],
  serialConsole: ['running', 'rebooting', 'migrating', 'repairing'],
}

describe('instance capabilities', () => {
  for (const capability of Object.keys(ALLOWED) as InstanceCapability[]) {
    it(`${capability}: allowed in exactly the states of the rules`, () => {
      const allowed = STATES.filter((runState) => instanceCan(capability, { runState }))
      expect(allowed).toEqual(ALLOWED[capability])
    })

    it(`${capability}: gives a reason in every other state, and none in these`, () => {
      for (const runState of STATES) {
        const refusal = instanceRefusal(capability, { runState })
        if (ALLOWED[capability].includes(runState)) expect(refusal).toBeUndefined()
        else
          expect(refusal).toMatch(
            /^(Only|Instance must be|The instance must be|A network interface cannot|You can only) .+/,
          )
      }
    })
  }

  it('keeps the short sentence for stop', () => {
    expect(instanceRefusal('stop', { runState: 'stopped' })).toBe(
      'Only running instances can be stopped',
    )
  })
})

describe('isTransitioning', () => {
  it('names the four states that change by themselves', () => {
    expect(STATES.filter((runState) => isTransitioning({ runState }))).toEqual([
      'creating',
      'starting',
      'stopping',
      'rebooting',
    ])
  })
})

describe('isRestartingSoon', () => {
  const now = Date.UTC(2025, 6, 1, 12)
  const failed = { runState: 'failed', autoRestartEnabled: true } as const

  it('is true without a cooldown and after it', () => {
    expect(isRestartingSoon(failed, now)).toBe(true)
    const over = { ...failed, autoRestartCooldownExpiration: new Date(now - 1) }
    expect(isRestartingSoon(over, now)).toBe(true)
  })

  it('is false during the cooldown, when disabled, and in every other state', () => {
    const waiting = { ...failed, autoRestartCooldownExpiration: new Date(now + 1) }
    expect(isRestartingSoon(waiting, now)).toBe(false)
    expect(isRestartingSoon({ ...failed, autoRestartEnabled: false }, now)).toBe(false)
    expect(isRestartingSoon({ ...failed, runState: 'stopped' }, now)).toBe(false)
  })
})
