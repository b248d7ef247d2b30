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
import type { Call } from '~/as-code/call'

import type { RoleAssignment } from './access'
import type { AccessScope } from './access-queries'

/**
 * Changes the policy of a scope and refreshes the screens that show it. A policy is written as a whole and the last write wins, so
 * the change is applied to the current policy on the server and not to the one on the screen.
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

/** The operation that changes the policy of each kind of scope. */
export const policyOperation = { silo: policyUpdate, project: projectPolicyUpdate } as const

/** The call that makes a policy of these assignments, as code has it. */
export const policyCall = (scope: AccessScope, roleAssignments: RoleAssignment[]): Call => ({
  operation: policyOperation[scope.kind],
  input: {
    ...(scope.kind === 'project' && { path: { project: scope.project } }),
    body: { roleAssignments },
  },
})

/** Refreshes everything that depends on a policy, including the person's own permissions. */
export const refreshAccess = (): Promise<void> =>
  invalidate(policyView, projectPolicyView, currentUserPermissionsView, currentUserProjectList)
