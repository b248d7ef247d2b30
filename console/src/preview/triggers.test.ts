import { describe, expect, it, vi } from 'vitest'

import { failureResponse, triggeredFailure } from './triggers'

const ID = '6d3a9c06-475e-4f75-b272-c0d0e3f980fa'

const failure = (method: string, path: string, body?: object, name?: string) =>
  triggeredFailure({ method, path, body: body && JSON.stringify(body) }, async () => name)

describe('names that fail', () => {
  it('projects', async () => {
    expect(await failure('GET', '/v1/projects/my-error-503')).toEqual({ status: 503 })
    expect(await failure('GET', '/v1/projects/error-403')).toEqual({ status: 403 })
    expect(await failure('GET', '/v1/projects/error-503-no')).toBeUndefined()
    expect(await failure('DELETE', '/v1/projects/error-503')).toBeUndefined()
    expect(await failure('GET', '/v1/projects/error-503/policy')).toBeUndefined()
  })

  it('the steps of an upload', async () => {
    expect(await failure('POST', '/v1/disks', { name: 'disk-create-500' })).toEqual({ status: 500 })
    expect(await failure('POST', '/v1/disks', { name: 'disk-create' })).toBeUndefined()
    expect(await failure('POST', '/v1/disks/import-start-500/bulk-write-start')).toBeDefined()
    expect(await failure('POST', '/v1/disks/import-start-500/bulk-write')).toBeUndefined()
    expect(await failure('POST', '/v1/disks/import-stop-500/bulk-write-stop')).toBeDefined()
    expect(await failure('POST', '/v1/disks/disk-finalize-500/finalize')).toBeDefined()
  })

  it('snapshots and instances', async () => {
    expect(await failure('POST', '/v1/snapshots', { disk: 'disk-snapshot-error' })).toEqual({
      status: 400,
      message: 'Cannot snapshot disk',
    })
    expect(await failure('DELETE', '/v1/snapshots/delete-500')).toEqual({ status: 500 })
    expect(await failure('POST', '/v1/instances', { name: 'no-default-pool' })).toMatchObject({
      status: 404,
    })
    expect(await failure('POST', '/v1/instances')).toBeUndefined()
  })

  it('are looked up when a call gives an id', async () => {
    const nameOf = vi.fn<(path: string) => Promise<string>>().mockResolvedValue('delete-500')
    const call = { method: 'DELETE', path: `/v1/snapshots/${ID}` }
    expect(await triggeredFailure(call, nameOf)).toEqual({ status: 500 })
    expect(nameOf).toHaveBeenCalledExactlyOnceWith(`/v1/snapshots/${ID}`)
    expect(await failure('POST', `/v1/disks/${ID}/finalize`, {}, 'data')).toBeUndefined()
  })
})

describe('the answers', () => {
  it('are what a server would send', async () => {
    const bare = failureResponse({ status: 503 })
    expect([bare.status, await bare.text()]).toEqual([503, ''])
    const told = failureResponse({ status: 404, code: 'ObjectNotFound', message: 'not found: it' })
    expect(told.status).toBe(404)
    expect(await told.json()).toMatchObject({
      error_code: 'ObjectNotFound',
      message: 'not found: it',
    })
  })
})
