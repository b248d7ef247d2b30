import { describe, expect, it } from 'vitest'

import { GIB, TIB } from '~/lib/units'

import { bytesIn, resourceUse, storageUnit, totalUtilization } from './silo-utilization'

const counts = (cpus: number, memory: number, storage: number) => ({ cpus, memory, storage })

describe('totalUtilization', () => {
  it('adds up quotas and use apart', () => {
    expect(
      totalUtilization([
        { allocated: counts(50, 300, 7), provisioned: counts(30, 234, 4) },
        { allocated: counts(20, 96, 15), provisioned: counts(8, 150, 2) },
      ]),
    ).toEqual({ allocated: counts(70, 396, 22), provisioned: counts(38, 384, 6) })
    expect(totalUtilization([])).toEqual({
      allocated: counts(0, 0, 0),
      provisioned: counts(0, 0, 0),
    })
  })
})

describe('resourceUse', () => {
  it('takes the difference of what is shown', () => {
    expect(resourceUse(4.3, 7)).toMatchObject({ available: 2.7 })
    expect(resourceUse(0.1, 0.3).available).toBe(0.2)
  })

  it('shows nothing of nothing as empty, and something of nothing as full', () => {
    expect(resourceUse(0, 0)).toEqual({ provisioned: 0, quota: 0, available: 0, percent: 0 })
    expect(resourceUse(3, 0)).toMatchObject({ available: -3, percent: 100 })
  })
})

describe('storageUnit', () => {
  it('is TiB once anything is that large', () => {
    const small = { allocated: counts(0, 0, 900 * GIB), provisioned: counts(0, 0, 0) }
    const large = { allocated: counts(0, 0, 7 * TIB), provisioned: counts(0, 0, 0) }
    expect(storageUnit([small])).toBe('GiB')
    expect(storageUnit([small, large])).toBe('TiB')
    expect(bytesIn('TiB', 7 * TIB)).toBe(7)
    expect(bytesIn('GiB', 1.5 * GIB)).toBe(1.5)
  })
})
