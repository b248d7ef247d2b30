import * as text from '~/messages/access'

/** The roles of every scope, strongest first: a role's place is its rank. */
export const roles = ['admin', 'collaborator', 'viewer'] as const

/** A role on the silo or on a project. A stronger one includes the weaker ones. */
export type Role = (typeof roles)[number]

/** What a role is given on, as far as the screens of a silo show it. */
export type RoleScope = 'silo' | 'project'

/** How roles are written where a person chooses or reads them. */
export const roleLabels: Record<Role, string> = {
  admin: text.adminLabel,
  collaborator: text.collaboratorLabel,
  viewer: text.viewerLabel,
}

/** 0 is the strongest. */
export const roleRank = (role: Role): number => roles.indexOf(role)

/** The role of lowest rank; none of none. */
export function strongestRole(held: readonly Role[]): Role | undefined {
  return roles.find((role) => held.includes(role))
}

/** What a role on the silo makes of a person in each of the silo's projects. */
export const roleInProjects = (siloRole: Role): Role => (siloRole === 'viewer' ? 'viewer' : 'admin')

/** What each role allows beyond the next weaker one, continuing "can" or "will no longer be able to". */
const capabilities: Record<RoleScope, Record<Role, string>> = {
  silo: {
    admin: text.siloAdminCapabilityText,
    collaborator: text.siloCollaboratorCapabilityText,
    viewer: text.siloViewerCapabilityText,
  },
  project: {
    admin: text.projectAdminCapabilityText,
    collaborator: text.projectCollaboratorCapabilityText,
    viewer: text.projectViewerCapabilityText,
  },
}

/** One line about a role for whoever is choosing one. */
export function roleCapability(scope: RoleScope, role: Role): string {
  const capability = capabilities[scope][role]
  return text.roleCapabilityHelp(capability)
}

/**
 * What somebody can no longer do after the change, strongest power first; empty when nothing is lost.
 *
 * @param after absent when no role is left.
 */
export function lostCapabilities(
  scope: RoleScope,
  before: Role,
  after: Role | undefined,
): string[] {
  const end = after === undefined ? roles.length : roleRank(after)
  return roles.slice(roleRank(before), end).map((role) => capabilities[scope][role])
}
