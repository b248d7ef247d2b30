import { call } from '~/api/call'
import {
  currentUserPermissionsView,
  currentUserProjectList,
  policyUpdate,
  policyView,
  projectPolicyUpdate,
  projectPolicyView,
} from '~/api/generated/operations'
import { invalidate } from '~/api/query'

import type { RoleAssignment } from './access'
import type { AccessScope } from './access-queries'

/**
 * Changes the policy of a scope and refreshes the screens that show it. A policy is written as a whole and the last writer wins, so
 * the change is made to what the server has now and not to what the screen showed.
 */
export async function changePolicy(
  scope: AccessScope,
  change: (assignments: readonly RoleAssignment[]) => RoleAssignment[],
): Promise<void> {
  if (scope.kind === 'silo') {
    const { roleAssignments } = await call(policyView, {})
    await call(policyUpdate, { body: { roleAssignments: change(roleAssignments) } })
  } else {
    const path = { project: scope.project }
    const { roleAssignments } = await call(projectPolicyView, { path })
    await call(projectPolicyUpdate, { path, body: { roleAssignments: change(roleAssignments) } })
  }
}

/** What changes the policy of each kind of scope. */
export const policyOperation = { silo: policyUpdate, project: projectPolicyUpdate } as const

/** Fetches again what a changed policy decides, the person's own rights included. */
export const refreshAccess = (): Promise<void> =>
  invalidate(policyView, projectPolicyView, currentUserPermissionsView, currentUserProjectList)
