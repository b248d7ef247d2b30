import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'

import {
  bundleFile,
  bundleSize,
  bundlesInterval,
  downloadRefusal,
  filesOf,
  SHOWN_AT_MOST,
} from './support-bundle'
import { commentProblem } from './support-bundle-dialogs'

const context = { signal: new AbortController().signal }
const answer = (body: string | null, status = 200, headers: Record<string, string> = {}) => {
  const send = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(body, { status, headers }),
  )
  configureTransport({ host: '', fetch: send })
  return send
}

describe('bundlesInterval', () => {
  it('is short while the server is at work on one of them', () => {
    const bundle = { id: 'b', timeCreated: new Date(0), reasonForCreation: '' }
    expect(bundlesInterval()).toBe(60_000)
    expect(bundlesInterval([{ ...bundle, state: 'active' }])).toBe(60_000)
    expect(bundlesInterval([{ ...bundle, state: 'collecting' }])).toBe(2000)
    expect(bundlesInterval([{ ...bundle, state: 'destroying' }])).toBe(2000)
  })
})

describe('downloadRefusal', () => {
  it('lets only active ones be downloaded', () => {
    expect(downloadRefusal({ state: 'active' })).toBeUndefined()
    expect(downloadRefusal({ state: 'collecting' })).toBe('It is still being collected')
    expect(downloadRefusal({ state: 'failed' })).toBe('It could not be collected')
    expect(downloadRefusal({ state: 'destroying' })).toBe('It is being deleted')
  })
})

describe('filesOf', () => {
  it('names files in order and leaves folders out', () => {
    expect(filesOf('server/croft.log\nsp_task_dumps/\nbundle_id.txt\n')).toEqual([
      'bundle_id.txt',
      'server/croft.log',
    ])
    expect(filesOf('')).toEqual([])
  })
})

describe('commentProblem', () => {
  it('counts bytes, not letters', () => {
    expect(commentProblem('a'.repeat(4096))).toBeUndefined()
    expect(commentProblem('ü'.repeat(2049))).toBe('User comment cannot exceed 4096 bytes')
  })
})

describe('bundleFile', () => {
  it('asks for the beginning, and says how long the whole is', async () => {
    const send = answer('{', 206, { 'content-range': 'bytes 0-0/193' })
    expect(await bundleFile('b', 'state/tables.json').queryFn(context)).toEqual({
      text: '{',
      size: 193,
    })
    const [url, init] = send.mock.calls[0] ?? []
    expect(url).toBe('/experimental/v1/system/support-bundles/b/download/state%2Ftables.json')
    expect(init?.headers).toMatchObject({ range: `bytes=0-${SHOWN_AT_MOST - 1}` })
  })

  it('takes an empty file for what it is', async () => {
    answer('{"message":"range"}', 416, { 'content-range': 'bytes */0' })
    expect(await bundleFile('b', 'empty').queryFn(context)).toEqual({ text: '', size: 0 })
  })

  it('rejects with the words of the server', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    answer('{"message":"Cannot download bundle in non-active state"}', 400)
    await expect(bundleFile('b', 'f').queryFn(context)).rejects.toMatchObject({
      message: 'Cannot download bundle in non-active state',
      statusCode: 400,
    })
  })
})

describe('bundleSize', () => {
  it('is the length that a download would have', async () => {
    const send = answer(null, 200, { 'content-length': '4614' })
    expect(await bundleSize('b').queryFn(context)).toBe(4614)
    expect(send.mock.calls[0]?.[1].method).toBe('HEAD')
  })
})
