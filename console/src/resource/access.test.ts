import { describe, expect, it } from 'vitest'

import type { Group, User } from '~/api/generated/types.gen'

import { accessRows, candidates, withoutIdentity, withRole } from './access'
import type { AccessData, RoleAssignment } from './access'
import { accessLoss, roleOfPerson } from './access-loss'
import type { Role } from './role'

const identity = (displayName: string): User & Group => ({
  id: `id-of-${displayName}`,
  displayName,
  siloId: 'silo',
})

const [hannah, hans, jacob] = ['Hannah', 'Hans', 'Jacob'].map(identity) as [User, User, User]
const [kernel, web] = ['kernel-devs', 'web-devs'].map(identity) as [Group, Group]

const toUser = ({ id }: User, roleName: Role): RoleAssignment => ({
  identityId: id,
  identityType: 'silo_user',
  roleName,
})
const toGroup = ({ id }: Group, roleName: Role): RoleAssignment => ({
  identityId: id,
  identityType: 'silo_group',
  roleName,
})

const data = (policies: AccessData['policies'], rest: Partial<AccessData> = {}): AccessData => ({
  policies,
  users: [jacob, hans, hannah],
  groups: [web, kernel],
  groupsOfUser: new Map(),
  ...rest,
})

describe('accessRows', () => {
  it('has users before groups, each by name, and those without a name last', () => {
    const silo = [
      toGroup(web, 'viewer'),
      toUser(identity('Nobody known'), 'viewer'),
      toGroup(kernel, 'admin'),
      toUser(hans, 'viewer'),
      toUser(hannah, 'admin'),
    ]
    expect(accessRows(data({ silo })).map(({ name }) => name)).toEqual([
      'Hannah',
      'Hans',
      undefined,
      'kernel-devs',
      'web-devs',
    ])
  })

  it('joins the roles on silo and project, the strongest first', () => {
    const [row] = accessRows(
      data({ silo: [toUser(hans, 'viewer')], project: [toUser(hans, 'collaborator')] }),
    )
    expect(row).toMatchObject({
      roles: [
        { scope: 'project', role: 'collaborator' },
        { scope: 'silo', role: 'viewer' },
      ],
      ownRole: 'collaborator',
      effective: 'collaborator',
      sources: [{ scope: 'project', role: 'collaborator' }],
    })
  })

  it('counts a silo collaborator as an admin of the project', () => {
    const [row] = accessRows(
      data({ silo: [toUser(hans, 'collaborator')], project: [toUser(hans, 'viewer')] }),
    )
    expect(row).toMatchObject({
      ownRole: 'viewer',
      effective: 'admin',
      sources: [{ scope: 'silo', role: 'collaborator' }],
    })
  })

  it('has no role of its own for who only holds one on the silo', () => {
    const [row] = accessRows(data({ silo: [toUser(hans, 'viewer')], project: [] }))
    expect(row?.ownRole).toBeUndefined()
  })

  it('counts roles given to groups, and says so', () => {
    const [row] = accessRows(
      data(
        { silo: [toUser(jacob, 'viewer'), toGroup(web, 'admin')] },
        { groupsOfUser: new Map([[jacob.id, [web]]]) },
      ),
    )
    expect(row).toMatchObject({
      roles: [{ scope: 'silo', role: 'viewer' }],
      ownRole: 'viewer',
      effective: 'admin',
      sources: [{ scope: 'silo', role: 'admin', group: web }],
    })
  })
})

it('offers everybody without a role on the scope, users before groups', () => {
  const policies = {
    silo: [toUser(jacob, 'viewer')],
    project: [toUser(hannah, 'admin'), toGroup(kernel, 'viewer')],
  }
  expect(candidates(data(policies)).map((each) => each.identity.displayName)).toEqual([
    'Hans',
    'Jacob',
    'web-devs',
  ])
})

it('replaces every earlier role of an identity', () => {
  const policy = [toUser(hans, 'viewer'), toUser(hans, 'admin'), toGroup(web, 'viewer')]
  expect(withRole(policy, toUser(hans, 'collaborator'))).toEqual([
    toGroup(web, 'viewer'),
    toUser(hans, 'collaborator'),
  ])
  expect(withoutIdentity(policy, hans.id)).toEqual([toGroup(web, 'viewer')])
})

describe('accessLoss', () => {
  const me = { id: hannah.id, groups: [web] }
  const silo = [toUser(hannah, 'admin'), toUser(hans, 'admin'), toGroup(web, 'viewer')]

  it('says nothing about a change that harms nobody who is asked', () => {
    expect(accessLoss(data({ silo }), withoutIdentity(silo, hans.id), me)).toBeUndefined()
  })

  it('counts what the groups still give', () => {
    expect(accessLoss(data({ silo }), withoutIdentity(silo, hannah.id), me)).toEqual({
      isLastAdmin: false,
      own: { before: 'admin', after: 'viewer' },
    })
  })

  it('knows when the last admin goes, somebody else included', () => {
    const alone = [toUser(hans, 'admin'), toUser(identity('Deleted'), 'admin')]
    expect(accessLoss(data({ silo: alone }), withRole(alone, toUser(hans, 'viewer')), me)).toEqual({
      isLastAdmin: true,
    })
  })

  it('knows that the silo keeps admins of its projects', () => {
    const project = [toUser(jacob, 'admin')]
    expect(accessLoss(data({ silo, project }), [], { id: jacob.id, groups: [] })).toEqual({
      isLastAdmin: false,
      own: { before: 'admin', after: undefined },
    })
  })

  it('reads the own role from everything that is held', () => {
    expect(roleOfPerson({ id: jacob.id, groups: [web] }, { silo })).toBe('viewer')
    expect(roleOfPerson({ id: jacob.id, groups: [] }, { silo })).toBeUndefined()
  })
})
