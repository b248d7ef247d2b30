import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'

import { withoutRole } from './no-role'

type Answers = Record<string, { status?: number; body: object }>

const admin = (identity_type: string, identity_id: string) => ({
  identity_id,
  identity_type,
  role_name: 'admin',
})

const RIGHTS = '/experimental/v1/me/permissions'
const PROJECTS = '/experimental/v1/me/projects'

const answers = (changes: Answers = {}): Answers => ({
  '/v1/me': { body: { id: 'ada', display_name: 'Ada', silo_name: 'maze' } },
  '/v1/me/groups': { body: { items: [] } },
  [RIGHTS]: { body: { on: 'silo', allowed: ['policy_view'], refused: [] } },
  [PROJECTS]: { body: { items: [] } },
  '/v1/policy': {
    body: { role_assignments: [admin('silo_user', 'h'), admin('silo_group', 'g')] },
  },
  '/v1/users/h': { body: { id: 'h', display_name: 'Hannah' } },
  '/v1/groups/g': { body: { id: 'g', display_name: 'admins' } },
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

describe('a person without a role on the silo', () => {
  it('is told who can give one', async () => {
    answerWith(answers())
    expect(await withoutRole()).toEqual({
      name: 'Ada',
      silo: 'maze',
      isInGroups: false,
      admins: ['Hannah', 'admins'],
      projects: [],
    })
  })

  it('is told of nobody whose name is not known', async () => {
    answerWith(answers({ '/v1/users/h': { status: 404, body: {} } }))
    expect(await withoutRole()).toMatchObject({ admins: ['admins'] })
    answerWith(answers({ '/v1/policy': { status: 403, body: {} } }))
    expect(await withoutRole()).toMatchObject({ admins: [] })
  })

  it('is led to the projects in which there is one', async () => {
    answerWith(answers({ [PROJECTS]: { body: { items: [{ name: 'shop' }, { name: 'web' }] } } }))
    expect(await withoutRole()).toMatchObject({ projects: ['shop', 'web'] })
  })

  it('may be in groups that bring none', async () => {
    answerWith(answers({ '/v1/me/groups': { body: { items: [{ id: 'g' }] } } }))
    expect(await withoutRole()).toMatchObject({ isInGroups: true })
  })

  it.each([
    ['a role, however it is held', { [RIGHTS]: { body: { allowed: ['project_list'] } } }],
    ['unknown rights', { [RIGHTS]: { status: 500, body: {} } }],
    ['unknown groups', { '/v1/me/groups': { status: 500, body: {} } }],
  ])('is none with %s', async (_, changes) => {
    answerWith(answers(changes))
    expect(await withoutRole()).toBeNull()
  })
})
