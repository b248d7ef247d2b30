import type { Group, SiloRoleRoleAssignment, User } from '~/api/generated/types.gen'

import { roleInProjects, roleRank, strongestRole } from './role'
import type { Role, RoleScope } from './role'

/** One entry of a policy. Silo and project policies have the same shape. */
export type RoleAssignment = SiloRoleRoleAssignment

/** Maximum number of entries in one policy, set by the server. */
export const policyLimit = 64

/** A role of an identity, with its origin. */
export interface HeldRole {
  /** The scope that it was assigned on. */
  scope: RoleScope
  role: Role
  /** The group that it was assigned to; absent if it was assigned to the identity itself. */
  group?: Group
}

/** The role assignments that determine access to a scope. */
export interface Policies {
  silo: readonly RoleAssignment[]
  /** Absent on the page of the silo's own access. */
  project?: readonly RoleAssignment[]
}

/** The data of the access screens. */
export interface AccessData {
  policies: Policies
  users: readonly User[]
  groups: readonly Group[]
  /** Groups of each user, by user id. Contains only groups that have a role. */
  groupsOfUser: ReadonlyMap<string, readonly Group[]>
}

/** An identity that has a role. */
export interface AccessRow {
  id: string
  identityType: RoleAssignment['identityType']
  /** Absent if the identity is not among the listed users and groups, for example because it was deleted. */
  name?: string
  /** Roles assigned to the identity itself, strongest first. */
  roles: HeldRole[]
  /** The strongest role assigned on the scope of the page itself. */
  ownRole?: Role
  /** The effective role on the scope of the page, including roles of groups. */
  effective: Role
  /** The roles that give the effective role. Each of them is sufficient. */
  sources: HeldRole[]
}

/** The scope of the policies. */
export const scopeOf = (policies: Policies): RoleScope => (policies.project ? 'project' : 'silo')

/** The effect of an assigned role on a scope. */
function roleAt(at: RoleScope, { scope, role }: HeldRole): Role {
  return at === 'project' && scope === 'silo' ? roleInProjects(role) : role
}

/** The strongest effect of several roles on a scope. */
export const effectiveRole = (at: RoleScope, held: readonly HeldRole[]): Role | undefined =>
  strongestRole(held.map((each) => roleAt(at, each)))

/** The roles assigned to an identity itself, strongest on the scope first. Of equal roles, the one on the scope itself comes first. */
function rolesGivenTo(id: string, policies: Policies, group?: Group): HeldRole[] {
  const given = (scope: RoleScope): HeldRole[] =>
    (policies[scope] ?? [])
      .filter(({ identityId }) => identityId === id)
      .map(({ roleName }) => ({ scope, role: roleName, ...(group && { group }) }))
  return [...given('project'), ...given('silo')].toSorted(
    (one, other) => roleRank(one.role) - roleRank(other.role),
  )
}

/** Every role of a person, assigned directly or to one of their groups. */
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

/** All identities that have a role: users before groups, each sorted by name. Those without a name come last. */
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

/** An identity that a role can be assigned to. */
export interface Candidate {
  identity: User | Group
  identityType: RoleAssignment['identityType']
}

/** Identities without a role on the scope: users before groups, each sorted by name. */
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

/** The policy after a role was assigned to an identity. It replaces every earlier role of the identity. */
export const withRole = (
  assignments: readonly RoleAssignment[],
  assignment: RoleAssignment,
): RoleAssignment[] => [...withoutIdentity(assignments, assignment.identityId), assignment]

/** The policy without the roles of an identity. */
export const withoutIdentity = (
  assignments: readonly RoleAssignment[],
  id: string,
): RoleAssignment[] => assignments.filter(({ identityId }) => identityId !== id)
