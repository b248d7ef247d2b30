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
    expect(cpuQuotaProblem(usage, 60)).toBe('Exceeds the silo’s quota: 14 of 50 vCPUs available')
    expect(memoryQuotaProblem(usage, 2)).toBe(
      'Exceeds the silo’s quota: 1.5 GiB of 100 GiB of memory available',
    )
  })

  it('is nothing, and never less, after a quota was lowered', () => {
    const lowered = { ...usage, capacity: { ...usage.capacity, cpus: 10 } }
    expect(cpuQuotaProblem(lowered, 1)).toBe('Exceeds the silo’s quota: 0 of 10 vCPUs available')
  })

  it('is no obstacle while it is not known', () => {
    expect(cpuQuotaProblem(null, 600)).toBeUndefined()
    expect(memoryQuotaProblem(undefined, 600)).toBeUndefined()
  })
})
