import type { Group, SiloRoleRoleAssignment, User } from '~/api/generated/types.gen'

import { roleInProjects, roleRank, strongestRole } from './role'
import type { Role, RoleScope } from './role'

/** One entry of a policy. Silo and project policies have the same shape. */
export type RoleAssignment = SiloRoleRoleAssignment

/** The server takes no more entries than this in one policy. */
export const policyLimit = 64

/** A role that somebody holds, and how. */
export interface HeldRole {
  /** What it was given on. */
  scope: RoleScope
  role: Role
  /** The group that it was given to; absent when it was given to the identity itself. */
  group?: Group
}

/** The entries of the policies that decide about a scope. */
export interface Policies {
  silo: readonly RoleAssignment[]
  /** Absent where access to the silo itself is shown. */
  project?: readonly RoleAssignment[]
}

/** Everything that the access screens know. */
export interface AccessData {
  policies: Policies
  users: readonly User[]
  groups: readonly Group[]
  /** Groups of a user by the user's id, as far as the groups hold a role. */
  groupsOfUser: ReadonlyMap<string, readonly Group[]>
}

/** Somebody who holds a role. */
export interface AccessRow {
  id: string
  identityType: RoleAssignment['identityType']
  /** Absent when the identity is not among the listed users and groups, for example because it was deleted. */
  name?: string
  /** Roles given to the identity itself, strongest first. */
  roles: HeldRole[]
  /** The role given on the scope of the screen itself, the strongest of several. */
  ownRole?: Role
  /** What all roles together amount to on the scope of the screen, those through groups included. */
  effective: Role
  /** The roles that are each enough for the effective one. */
  sources: HeldRole[]
}

/** The scope that the policies are about. */
export const scopeOf = (policies: Policies): RoleScope => (policies.project ? 'project' : 'silo')

/** What a held role amounts to on a scope. */
function roleAt(at: RoleScope, { scope, role }: HeldRole): Role {
  return at === 'project' && scope === 'silo' ? roleInProjects(role) : role
}

/** What several held roles amount to on a scope. */
export const effectiveRole = (at: RoleScope, held: readonly HeldRole[]): Role | undefined =>
  strongestRole(held.map((each) => roleAt(at, each)))

/** The roles given to an identity itself, strongest on the scope first; among equals the scope's own. */
function rolesGivenTo(id: string, policies: Policies, group?: Group): HeldRole[] {
  const given = (scope: RoleScope): HeldRole[] =>
    (policies[scope] ?? [])
      .filter(({ identityId }) => identityId === id)
      .map(({ roleName }) => ({ scope, role: roleName, ...(group && { group }) }))
  return [...given('project'), ...given('silo')].toSorted(
    (one, other) => roleRank(one.role) - roleRank(other.role),
  )
}

/** Every role of a person, given directly or to one of the groups. */
export function rolesOfPerson(
  id: string,
  groups: readonly Group[],
  policies: Policies,
): HeldRole[] {
  return [
    ...rolesGivenTo(id, policies),
    ...groups.flatMap((group) => rolesGivenTo(group.id, policies, group)),
  ]
}

/** Whoever holds a role: users before groups, each by name; those without a name last. */
export function accessRows(data: AccessData): AccessRow[] {
  const { policies, users, groups, groupsOfUser } = data
  const names = new Map([...users, ...groups].map(({ id, displayName }) => [id, displayName]))
  const at = scopeOf(policies)
  const assignments = [...policies.silo, ...(policies.project ?? [])]
  const types = new Map(
    assignments.map(({ identityId, identityType }) => [identityId, identityType]),
  )
  return Array.from(types, ([id, identityType]) => {
    const roles = rolesGivenTo(id, policies)
    const all = rolesOfPerson(id, groupsOfUser.get(id) ?? [], policies)
    const effective = effectiveRole(at, all) ?? 'viewer'
    return {
      id,
      identityType,
      name: names.get(id),
      roles,
      ownRole: strongestRole(roles.filter(({ scope }) => scope === at).map(({ role }) => role)),
      effective,
      sources: all.filter((held) => roleAt(at, held) === effective),
    }
  }).toSorted(
    (one, other) =>
      Number(one.identityType === 'silo_group') - Number(other.identityType === 'silo_group') ||
      compareNames(one.name, other.name),
  )
}

const collator = new Intl.Collator('en')

function compareNames(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined)
  }
  return collator.compare(one, other)
}

/** Somebody who could be given a role. */
export interface Candidate {
  identity: User | Group
  identityType: RoleAssignment['identityType']
}

/** Who holds no role on the scope yet: users before groups, each by name. */
export function candidates(data: AccessData): Candidate[] {
  const assignments = data.policies[scopeOf(data.policies)] ?? []
  const taken = new Set(assignments.map(({ identityId }) => identityId))
  const open = (
    identities: readonly (User | Group)[],
    identityType: Candidate['identityType'],
  ): Candidate[] =>
    identities
      .filter(({ id }) => !taken.has(id))
      .toSorted((one, other) => compareNames(one.displayName, other.displayName))
      .map((identity) => ({ identity, identityType }))
  return [...open(data.users, 'silo_user'), ...open(data.groups, 'silo_group')]
}

/** The policy after an identity was given a role: whatever it held there before is replaced. */
export const withRole = (
  assignments: readonly RoleAssignment[],
  assignment: RoleAssignment,
): RoleAssignment[] => [...withoutIdentity(assignments, assignment.identityId), assignment]

/** The policy after an identity lost every role on the scope. */
export const withoutIdentity = (
  assignments: readonly RoleAssignment[],
  id: string,
): RoleAssignment[] => assignments.filter(({ identityId }) => identityId !== id)
