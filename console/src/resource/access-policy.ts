import { useQueries } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { call } from '~/api/call'
import {
  groupList,
  policyUpdate,
  policyView,
  projectPolicyUpdate,
  projectPolicyView,
  systemPolicyView,
  userList,
} from '~/api/generated/operations'
import type { Group } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { invalidate, load, q, useLoaded } from '~/api/query'

import type { AccessData, RoleAssignment } from './access'

/** What access is shown and changed on. */
export type AccessScope = { kind: 'silo' } | { kind: 'project'; project: string }

const siloPolicy = q(policyView, {})
const projectPolicy = (project: string) => q(projectPolicyView, { path: { project } })
const users = q(userList, { query: { limit: allItems } })
const groups = q(groupList, { query: { limit: allItems } })
const members = (group: string) =>
  // A group may go while its name still stands in the policy.
  q(userList, { query: { group, limit: allItems } }, { allowNotFound: true, staleTime: 60_000 })

/** Loads what {@link useAccess} reads. */
export async function loadAccess(client: QueryClient, scope: AccessScope): Promise<void> {
  await Promise.all([
    load(client, siloPolicy),
    scope.kind === 'project' && load(client, projectPolicy(scope.project)),
    load(client, users),
    load(client, groups),
  ])
}

/** Who has access to the silo. */
export function useSiloAccess(): AccessData {
  const { roleAssignments: silo } = useLoaded(siloPolicy)
  return useAccess(useMemo(() => ({ silo }), [silo]))
}

/** Who has access to a project, the roles on the silo included. */
export function useProjectAccess(name: string): AccessData {
  const { roleAssignments: silo } = useLoaded(siloPolicy)
  const { roleAssignments: project } = useLoaded(projectPolicy(name))
  return useAccess(useMemo(() => ({ silo, project }), [silo, project]))
}

function useAccess(policies: AccessData['policies']): AccessData {
  const allUsers = useLoaded(users).items
  const allGroups = useLoaded(groups).items
  const holders = useMemo(() => {
    const assignments = [...policies.silo, ...(policies.project ?? [])]
    const ids = new Set(assignments.map(({ identityId }) => identityId))
    return allGroups.filter(({ id }) => ids.has(id))
  }, [policies, allGroups])
  const groupsOfUser = useGroupsOfUser(holders)
  return useMemo(
    () => ({ policies, users: allUsers, groups: allGroups, groupsOfUser }),
    [policies, allUsers, allGroups, groupsOfUser],
  )
}

/** Who is in these groups, as far as it is known yet: the members of a group come after the screen. */
function useGroupsOfUser(holders: readonly Group[]): AccessData['groupsOfUser'] {
  const pages = useQueries({
    queries: holders.map(({ id }) => members(id)),
    combine: (results) => results.map(({ data }) => data?.items),
  })
  return useMemo(() => {
    const found = new Map<string, Group[]>()
    holders.forEach((group, index) => {
      for (const { id } of pages[index] ?? []) found.set(id, [...(found.get(id) ?? []), group])
    })
    return found
  }, [holders, pages])
}

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

/** Fetches again what a changed policy decides, the person's own rights included. */
export const refreshAccess = (): Promise<void> =>
  invalidate(policyView, projectPolicyView, systemPolicyView)
