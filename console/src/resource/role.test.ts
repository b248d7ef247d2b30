import { describe, expect, it } from 'vitest'

import { lostCapabilities, roleInProjects, roleCapability, strongestRole } from './role'

describe('strongestRole', () => {
  it.each([
    [['viewer', 'admin', 'collaborator'], 'admin'],
    [['viewer', 'collaborator'], 'collaborator'],
    [['viewer', 'viewer'], 'viewer'],
    [[], undefined],
  ] as const)('of %j is %s', (held, strongest) => {
    expect(strongestRole(held)).toBe(strongest)
  })
})

it.each([
  ['admin', 'admin'],
  ['collaborator', 'admin'],
  ['viewer', 'viewer'],
] as const)('a silo %s is %s in every project', (role, inProjects) => {
  expect(roleInProjects(role)).toBe(inProjects)
})

describe('lostPowers', () => {
  it('names every power between two roles', () => {
    expect(lostCapabilities('project', 'admin', 'viewer')).toEqual([
      'change the project’s roles, rename it and delete it',
      'create, change and delete the project’s resources',
    ])
  })

  it('names all of them when no role is left', () => {
    expect(lostCapabilities('silo', 'collaborator', undefined)).toEqual([
      'create projects, and change everything in all projects',
      'view all projects and images of the silo',
    ])
  })

  it('is empty when the role stays or grows', () => {
    expect(lostCapabilities('silo', 'viewer', 'viewer')).toEqual([])
    expect(lostCapabilities('silo', 'viewer', 'admin')).toEqual([])
  })
})

it('says what a role is for', () => {
  expect(roleCapability('project', 'viewer')).toBe('Can view the project and its resources')
})
