import { callForOutcome } from '~/api/call'
import {
  currentUserGroups,
  currentUserPermissionsView,
  currentUserProjectList,
  currentUserView,
  groupView,
  policyView,
  projectList,
  userView,
} from '~/api/generated/operations'
import type { SiloRolePolicy } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'

import { allows } from './permissions'

/** Somebody without a role on the silo, and whom to ask. */
export interface WithoutRole {
  name: string
  silo: string
  /** Whether the person is in any group. */
  isInGroups: boolean
  /** Names of a few who can give roles on the silo. */
  admins: string[]
  /** Names of a few of the projects in which the person has a role. */
  projects: string[]
}

/** Most admins that are named. */
const MAX_ADMINS = 3

/** Most projects that are named; the list of projects has them all. */
const MAX_PROJECTS = 3

/**
 * Who the person is, if without a role on the silo, which is why little is allowed. Only asked where something is missing. What cannot be
 * found out counts as a role.
 */
export async function withoutRole(): Promise<WithoutRole | null> {
  const [me, groups, rights, projects, policy] = await Promise.all([
    callForOutcome(currentUserView, {}),
    callForOutcome(currentUserGroups, { query: { limit: allItems } }),
    callForOutcome(currentUserPermissionsView, { query: { on: 'silo' } }),
    callForOutcome(currentUserProjectList, { query: { limit: MAX_PROJECTS } }),
    callForOutcome(policyView, {}),
  ])
  if (me.type === 'error' || groups.type === 'error' || rights.type === 'error') return null
  // Every role on the silo includes it.
  if (allows(rights.data, projectList)) return null
  const { displayName, siloName } = me.data
  return {
    name: displayName,
    silo: siloName,
    isInGroups: groups.data.items.length > 0,
    admins: policy.type === 'success' ? await adminNames(policy.data.roleAssignments) : [],
    projects: projects.type === 'success' ? projects.data.items.map((each) => each.name) : [],
  }
}

async function adminNames(assignments: SiloRolePolicy['roleAssignments']): Promise<string[]> {
  const admins = assignments.filter(({ roleName }) => roleName === 'admin').slice(0, MAX_ADMINS)
  const found = await Promise.all(
    admins.map(({ identityId, identityType }) =>
      identityType === 'silo_user'
        ? callForOutcome(userView, { path: { userId: identityId } })
        : callForOutcome(groupView, { path: { groupId: identityId } }),
    ),
  )
  return found.flatMap((each) => (each.type === 'success' ? [each.data.displayName] : []))
}
