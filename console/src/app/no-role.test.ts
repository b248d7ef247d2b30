import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'

import { hasNoRole } from './no-role'

type Answers = Record<string, { status?: number; body: object }>

const answers = (changes: Answers = {}): Answers => ({
  '/v1/me': { body: { id: 'ada', display_name: 'Ada' } },
  '/v1/me/groups': { body: { items: [] } },
  '/v1/policy': { body: { role_assignments: [{ identity_id: 'someone else' }] } },
  ...changes,
})

const answerWith = (all: Answers) =>
  configureTransport({
    host: '',
    fetch: (url) => {
      const { status = 200, body } = all[url.split('?')[0] ?? ''] ?? { status: 404, body: {} }
      return Promise.resolve(new Response(JSON.stringify(body), { status }))
    },
  })

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
})

describe('hasNoRole', () => {
  it('is so for a person without groups and without a role on the silo', async () => {
    answerWith(answers())
    expect(await hasNoRole()).toBe(true)
  })

  it.each([
    ['a group', { '/v1/me/groups': { body: { items: [{ id: 'g' }] } } }],
    ['a role', { '/v1/policy': { body: { role_assignments: [{ identity_id: 'ada' }] } } }],
    ['an unknown policy', { '/v1/policy': { status: 403, body: {} } }],
    ['unknown groups', { '/v1/me/groups': { status: 500, body: {} } }],
  ])('is not so with %s', async (_, changes) => {
    answerWith(answers(changes))
    expect(await hasNoRole()).toBe(false)
  })
})
