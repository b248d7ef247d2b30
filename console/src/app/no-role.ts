import { callForOutcome } from '~/api/call'
import {
  currentUserGroups,
  currentUserView,
  groupView,
  policyView,
  userView,
} from '~/api/generated/operations'
import type { SiloRolePolicy } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'

/** Somebody whom the silo gives nothing, and whom to ask. */
export interface WithoutRole {
  name: string
  silo: string
  /** Names of a few who can give roles on the silo. */
  admins: string[]
}

/** As many as one would ask. */
const MAX_ADMINS = 3

/**
 * Who the person is, if in no group and without a role on the silo, which is why little is allowed. Only asked after a 403. What cannot be
 * found out counts as a role.
 */
export async function withoutRole(): Promise<WithoutRole | null> {
  const [me, groups, policy] = await Promise.all([
    callForOutcome(currentUserView, {}),
    callForOutcome(currentUserGroups, { query: { limit: allItems } }),
    callForOutcome(policyView, {}),
  ])
  if (me.type === 'error' || groups.type === 'error' || policy.type === 'error') return null
  const { id, displayName, siloName } = me.data
  const { roleAssignments } = policy.data
  const hasRole = roleAssignments.some(({ identityId }) => identityId === id)
  if (hasRole || groups.data.items.length > 0) return null
  return { name: displayName, silo: siloName, admins: await adminNames(roleAssignments) }
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
