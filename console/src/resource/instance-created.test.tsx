import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Instance, InstanceCreate } from '~/api/generated/types.gen'

import { createdToast, startFailure } from './instance-created'

const stopped = { name: 'db', runState: 'stopped' } as Instance
const toStart = { start: true } as InstanceCreate
const fetchAnswer = vi.fn<(url: string) => Promise<Response>>()

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
  configureTransport({ host: '', fetch: fetchAnswer })
  fetchAnswer.mockReset()
  fetchAnswer.mockResolvedValue(
    Response.json({ message: 'not enough vCPUs left in the quota' }, { status: 507 }),
  )
})

describe('an instance that was to start and is stopped', () => {
  it('is asked again, which tells why', async () => {
    const failure = await startFailure(stopped, toStart, 'web')
    expect(failure).toBe('Not enough vCPUs left in the quota')
    expect(fetchAnswer.mock.calls[0]?.[0]).toBe('/v1/instances/db/start?project=web')
    expect(createdToast('db', failure)).toMatchObject({
      variant: 'error',
      title: 'Created, but not started',
    })
  })

  it('is a success when it starts after all', async () => {
    fetchAnswer.mockResolvedValue(Response.json({}, { status: 202 }))
    const failure = await startFailure(stopped, toStart, 'web')
    expect(failure).toBeUndefined()
    expect(createdToast('db', failure)).not.toHaveProperty('title')
  })
})

it.each([
  ['starts', { ...stopped, runState: 'starting' } as Instance, toStart],
  ['was not to start', stopped, { start: false } as InstanceCreate],
])('leaves alone what %s', async (_, instance, body) => {
  expect(await startFailure(instance, body, 'web')).toBeUndefined()
  expect(fetchAnswer).not.toHaveBeenCalled()
})
