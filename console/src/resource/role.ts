import * as text from '~/messages/access'

/** The roles of every scope, strongest first. The index of a role is its rank. */
export const roles = ['admin', 'collaborator', 'viewer'] as const

/** A role on the silo or on a project. A stronger one includes the weaker ones. */
export type Role = (typeof roles)[number]

/** The scope of a role, on the screens of a silo. */
export type RoleScope = 'silo' | 'project'

/** The labels of roles. */
export const roleLabels: Record<Role, string> = {
  admin: text.adminLabel,
  collaborator: text.collaboratorLabel,
  viewer: text.viewerLabel,
}

/** The rank of a role; 0 is the strongest. */
export const roleRank = (role: Role): number => roles.indexOf(role)

/** The strongest role; `undefined` for an empty list. */
export function strongestRole(held: readonly Role[]): Role | undefined {
  return roles.find((role) => held.includes(role))
}

/** The role in each project of a silo that a role on the silo gives. */
export const roleInProjects = (siloRole: Role): Role => (siloRole === 'viewer' ? 'viewer' : 'admin')

/** One line about what a role allows. */
export const roleCapability = (scope: RoleScope, role: Role): string => text.roleHelp[scope][role]

/**
 * What a person can no longer do after a change, strongest first. Empty if nothing is lost.
 *
 * @param after `undefined` if no role is left.
 */
export function lostCapabilities(
  scope: RoleScope,
  before: Role,
  after: Role | undefined,
): string[] {
  const end = after === undefined ? roles.length : roleRank(after)
  return roles.slice(roleRank(before), end).map((role) => text.lostCapabilityText[scope][role])
}
