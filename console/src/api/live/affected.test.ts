import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'

import { KINDS } from '~/resource/registry'

import { affectedBy } from './affected'
import type { Change } from './message'

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})

const disk = (project: string | null): Change => ({ kind: 'disk', id: 'd1', parent: null, project })

/** The cached calls that a change concerns, by the first part of their keys and what tells them apart. */
function concerned(...changes: Change[]) {
  const isAffected = affectedBy(changes, client, KINDS)
  return client
    .getQueryCache()
    .getAll()
    .filter(isAffected)
    .map(({ queryKey }) => JSON.stringify(queryKey))
}

const cache = (name: string, params: object, data: object = { items: [] }) => {
  client.setQueryData([name, params], data)
  return JSON.stringify([name, params])
}

describe('what a change concerns', () => {
  it('are the lists of its kind, and nothing else', () => {
    const disks = cache('diskList', { query: { limit: 50 } })
    cache('instanceList', {})
    cache('projectList', {})
    expect(concerned(disk(null))).toEqual([disks])
  })

  it('is the page of that one thing, or one that shows nothing yet', () => {
    const own = cache('diskView', { path: { disk: 'data' } }, { id: 'd1', name: 'data' })
    cache('diskView', { path: { disk: 'logs' } }, { id: 'd2', name: 'logs' })
    const unknown = cache('diskView', { path: { disk: 'x' } }, { type: 'error' })
    expect(concerned(disk(null))).toEqual([own, unknown])
  })

  it('is not the list of another project, where it is certain which project that is', () => {
    cache('projectView', { path: { project: 'web' } }, { id: 'p-web', name: 'web' })
    const web = cache('diskList', { query: { project: 'web', limit: 50 } })
    const other = cache('diskList', { query: { project: 'shop', limit: 50 } })
    expect(concerned(disk('p-web'))).toEqual([web, other])
    expect(concerned(disk('p-shop'))).toEqual([other])
    const renamed: Change = { kind: 'project', id: 'p-web', parent: null, project: 'p-web' }
    expect(concerned(disk('p-shop'), renamed).filter((key) => key.includes('diskList'))).toEqual([
      web,
      other,
    ])
  })

  it('is what the person may do, and which projects they see, when a role or a group is given', () => {
    cache('projectView', { path: { project: 'web' } }, { id: 'p-web', name: 'web' })
    const onSilo = cache('currentUserPermissionsView', { query: { on: 'silo' } }, { id: 's' })
    const onWeb = cache(
      'currentUserPermissionsView',
      { query: { on: 'project', project: 'web' } },
      { id: 'p-web' },
    )
    const projects = cache('currentUserProjectList', { query: { limit: 50 } })
    const change = (kind: string, project: string | null): Change => ({
      kind,
      id: 'r',
      parent: null,
      project,
    })
    expect(concerned(change('role_assignment', null))).toEqual([onSilo, onWeb, projects])
    expect(concerned(change('silo_group_membership', null))).toEqual([onSilo, onWeb, projects])
    expect(concerned(change('role_assignment', 'p-shop'))).toEqual([onSilo, projects])
    expect(concerned({ ...change('project', 'p-new'), id: 'p-new' })).toEqual([projects])
  })

  it('is what a silo wants of a sign-in, and whether it takes a provider’s', () => {
    const rule = cache('signInSettingsView', {}, { requireSecondFactor: false })
    const account = cache('accountView', {}, { id: 'ada', secondFactorRequired: false })
    const path = { provider: 'corp' }
    const corp = cache('samlIdentityProviderSettingsView', { path }, { id: 'p1', enabled: true })
    cache('samlIdentityProviderSettingsView', { path: { provider: 'old' } }, { id: 'p2' })
    const change = (kind: string): Change => ({ kind, id: 'p1', parent: null, project: null })
    expect(concerned(change('auth_settings'))).toEqual([rule, account])
    expect(concerned(change('saml_identity_provider'))).toEqual([corp])
  })

  it('is nothing for a kind that no screen shows', () => {
    cache('diskList', {})
    expect(concerned({ ...disk(null), kind: 'weather' })).toEqual([])
  })
})

describe('what was done to a resource', () => {
  it('is shown anew when it, a part of it or something in it changes', () => {
    const of = (id: string) => cache('activityList', { path: { kind: 'disk', id } })
    const [own, project, vpc] = [of('d1'), of('p-web'), of('v1')]
    of('d2')
    expect(concerned({ kind: 'disk', id: 'd1', parent: 'p-web', project: 'p-web' })).toEqual([
      own,
      project,
    ])
    expect(concerned({ kind: 'vpc_subnet', id: 's1', parent: 'v1', project: 'p-web' })).toEqual([
      project,
      vpc,
    ])
  })
})
