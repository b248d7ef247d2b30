import { describe, expect, it } from 'vitest'

import {
  cpuProblem,
  findPreset,
  firstPreset,
  HARDWARE_FAMILIES,
  memoryProblem,
} from './instance-hardware'

describe('hardware presets', () => {
  it('offers the four tabs with their sizes', () => {
    const sizes = HARDWARE_FAMILIES.map(({ label, presets }) => [
      label,
      ...presets.map(({ ncpus, memory }) => `${ncpus}/${memory}`),
    ])
    expect(sizes).toEqual([
      ['General Purpose', '2/8', '4/16', '8/32', '16/64'],
      ['High CPU', '2/4', '4/8', '8/16', '16/32'],
      ['High Memory', '2/16', '4/32', '8/64', '16/128'],
      ['Custom'],
    ])
  })

  it('finds presets by id and by tab', () => {
    expect(firstPreset('general')).toMatchObject({ ncpus: 2, memory: 8 })
    expect(firstPreset('high-memory')).toMatchObject({ ncpus: 2, memory: 16 })
    expect(firstPreset('custom')).toBeUndefined()
    expect(findPreset('high-cpu-16')).toMatchObject({ ncpus: 16, memory: 32 })
    expect(findPreset('none')).toBeUndefined()
  })
})

describe('limits', () => {
  it('accepts 1 to 64 vCPUs', () => {
    expect(cpuProblem(1)).toBeUndefined()
    expect(cpuProblem(64)).toBeUndefined()
    expect(cpuProblem(0)).toBe('Must be at least 1 vCPU')
    expect(cpuProblem(65)).toBe('Can be at most 64')
    expect(cpuProblem(Number.NaN)).toBe('vCPUs is required')
  })

  it('accepts 1 to 1536 GiB of memory', () => {
    expect(memoryProblem(1)).toBeUndefined()
    expect(memoryProblem(1536)).toBeUndefined()
    expect(memoryProblem(0)).toBe('Must be at least 1 GiB')
    expect(memoryProblem(1537)).toBe('Can be at most 1536 GiB')
    expect(memoryProblem(undefined)).toBe('Memory is required')
  })
})
