import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  INJECTED,
  askedFailurePercent,
  drawFailure,
  failurePercent,
  injectedFailure,
  setFailurePercent,
  subscribeFailurePercent,
} from './failures'

/** Answers these numbers one after the other. */
const numbers = (...all: number[]) => {
  const rest = [...all]
  return () => rest.shift() ?? 0
}

describe('failure injection', () => {
  beforeEach(() => {
    vi.spyOn(console, 'info').mockReturnValue()
  })
  afterEach(() => setFailurePercent(0))

  it('is off until somebody asks for it', () => {
    expect(failurePercent()).toBe(0)
    expect(drawFailure(() => 0)).toBeUndefined()
  })

  it('fails as many calls as it is told, and tells those who follow it', () => {
    const follower = vi.fn<() => void>()
    const stop = subscribeFailurePercent(follower)
    setFailurePercent(20)
    expect(follower).toHaveBeenCalledOnce()
    stop()
    expect(drawFailure(numbers(0.2))).toBeUndefined()
    expect(drawFailure(numbers(0.199, 0))).toBe(401)
    setFailurePercent(100)
    expect(follower).toHaveBeenCalledOnce()
    expect(drawFailure(numbers(0.999, 0.999))).toBe(500)
  })

  it('draws 401 and 403 once, 404 five times and 500 twice of nine', () => {
    setFailurePercent(100)
    const drawn = Array.from({ length: 9 }, (_, index) => drawFailure(numbers(0, index / 9)))
    expect(drawn).toEqual([401, 403, 404, 404, 404, 404, 404, 500, 500])
  })

  it.each([
    ['', 0],
    ['?chaos=20', 20],
    ['?chaos=2.5', 2.5],
    ['?chaos=', 0],
    ['?chaos=-3', 0],
    ['?chaos=1000', 100],
    ['?chaos=lots', 0],
    ['?redirect_uri=%2Fprojects%3Fchaos%3D30', 30],
    ['?redirect_uri=%2Fprojects', 0],
  ])('reads %s', (search, percent) => {
    expect(askedFailurePercent(search)).toBe(percent)
  })

  it('says that it was on purpose', async () => {
    const response = injectedFailure(404, 'GET', '/v1/projects')
    expect(response.status).toBe(404)
    expect(response.headers.get('x-chaos')).toBe('404')
    expect(await response.json()).toEqual({
      error_code: INJECTED,
      message: 'Failure injected by the preview: GET /v1/projects answers 404',
      request_id: 'injected',
    })
  })
})
