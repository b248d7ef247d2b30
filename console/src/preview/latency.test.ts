import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { isApiPath, latency, pause } from './latency'

describe('latency', () => {
  it('is 200 to 399 ms for what the API answers, and nothing for the rest', () => {
    expect(latency('GET', '/v1/projects', () => 0)).toBe(200)
    expect(latency('GET', '/experimental/v1/probes', () => 0.999)).toBe(399)
    expect(latency('POST', '/device/confirm')).toBe(0)
    expect(latency('GET', '/openapi.json')).toBe(0)
    expect(isApiPath('/v1')).toBe(false)
  })

  it('is nothing where a suite of tests says so', () => {
    vi.stubGlobal('croftAnswersAtOnce', true)
    expect(latency('POST', '/v1/timeseries/query')).toBe(0)
    vi.unstubAllGlobals()
    expect(latency('POST', '/v1/timeseries/query', () => 0)).toBe(1200)
  })

  it('is longer for queries of metrics and for the steps of an upload', () => {
    const least = (method: string, path: string) => latency(method, path, () => 0)
    expect(least('POST', '/v1/timeseries/query')).toBe(1200)
    expect(least('POST', '/v1/system/timeseries/query')).toBe(1200)
    expect(least('POST', '/v1/disks/data/bulk-write-start')).toBe(2200)
    expect(least('POST', '/v1/disks/data/bulk-write-stop')).toBe(2200)
    expect(least('POST', '/v1/disks/data/bulk-write')).toBe(1200)
    expect(least('POST', '/v1/disks/data/finalize')).toBe(200)
  })
})

describe('pause', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('lasts as long as it is told', async () => {
    const over = vi.fn<() => void>()
    const waiting = pause(300).then(over)
    await vi.advanceTimersByTimeAsync(299)
    expect(over).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(over).toHaveBeenCalledOnce()
  })

  it('ends at once when nobody waits any more, and leaves no timer behind', async () => {
    const leaving = new AbortController()
    const waiting = pause(300, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toThrow(/abort/i)
    expect(vi.getTimerCount()).toBe(0)
    await expect(pause(300, leaving.signal)).rejects.toThrow(/abort/i)
  })
})
