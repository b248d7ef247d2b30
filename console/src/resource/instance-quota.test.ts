import { describe, expect, it } from 'vitest'

import { GIB } from '~/lib/units'

import { cpuQuotaProblem, memoryQuotaProblem } from './instance-quota'

const usage = {
  capacity: { cpus: 50, memory: 100 * GIB, storage: 0 },
  provisioned: { cpus: 36, memory: 98.5 * GIB, storage: 0 },
}

describe('what is left of the quota', () => {
  it('is enough up to the last of it', () => {
    expect(cpuQuotaProblem(usage, 14)).toBeUndefined()
    expect(memoryQuotaProblem(usage, 1)).toBeUndefined()
  })

  it('is told where more is asked for', () => {
    expect(cpuQuotaProblem(usage, 60)).toBe('More than this silo has left: 14 of its 50 vCPUs')
    expect(memoryQuotaProblem(usage, 2)).toBe(
      'More than this silo has left: 1.5 GiB of its 100 GiB of memory',
    )
  })

  it('is nothing, and never less, after a quota was lowered', () => {
    const lowered = { ...usage, capacity: { ...usage.capacity, cpus: 10 } }
    expect(cpuQuotaProblem(lowered, 1)).toBe('More than this silo has left: 0 of its 10 vCPUs')
  })

  it('is no obstacle while it is not known', () => {
    expect(cpuQuotaProblem(null, 600)).toBeUndefined()
    expect(memoryQuotaProblem(undefined, 600)).toBeUndefined()
  })
})
