import { describe, expect, it } from 'vitest'

import type { Instance } from '~/api/generated/types.gen'

import { autoRestartOutlook, cooldownDistance } from './auto-restart'

const now = Date.UTC(2025, 6, 1)
const failed = (rest: Partial<Instance>) => ({ runState: 'failed', ...rest }) as Instance

describe('autoRestartOutlook', () => {
  it('follows policy and cooldown', () => {
    expect(autoRestartOutlook(failed({ autoRestartEnabled: false }), now)).toBe('never')
    expect(autoRestartOutlook(failed({ autoRestartEnabled: true }), now)).toBe('soon')
    const autoRestartCooldownExpiration = new Date(now + 1)
    const waiting = failed({ autoRestartEnabled: true, autoRestartCooldownExpiration })
    expect(autoRestartOutlook(waiting, now)).toBe('waiting')
    expect(autoRestartOutlook(waiting, now + 1)).toBe('soon')
  })
})

describe('cooldownDistance', () => {
  it.each([
    [1_000, 'less than a minute'],
    [60_000, 'less than a minute'],
    [60_001, '2 minutes'],
    [5 * 60_000, '5 minutes'],
  ])('%d ms: %s', (left, words) => {
    expect(cooldownDistance(new Date(now + left), now)).toBe(words)
  })
})
