import { callForOutcome } from '~/api/call'
import { currentUserGroups, currentUserView, policyView } from '~/api/generated/operations'
import { allItems } from '~/api/list'

/**
 * Whether the person is in no group and has no role on the silo, which is why nothing is allowed. Only asked after a 403. What cannot be
 * found out counts as "no".
 */
export async function hasNoRole(): Promise<boolean> {
  const [me, groups, policy] = await Promise.all([
    callForOutcome(currentUserView, {}),
    callForOutcome(currentUserGroups, { query: { limit: allItems } }),
    callForOutcome(policyView, {}),
  ])
  if (me.type === 'error' || groups.type === 'error' || policy.type === 'error') return false
  const { id } = me.data
  return (
    groups.data.items.length === 0 &&
    !policy.data.roleAssignments.some(({ identityId }) => identityId === id)
  )
}
