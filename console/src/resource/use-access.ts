import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Group } from '~/api/generated/types.gen'
import { useLoaded } from '~/api/query'

import type { AccessData } from './access'
import { groups, members, projectPolicy, siloPolicy, users } from './access-queries'

/** Access to the silo. */
export function useSiloAccess(): AccessData {
  const { roleAssignments: silo } = useLoaded(siloPolicy)
  return useAccess(useMemo(() => ({ silo }), [silo]))
}

/** Access to a project, including roles on the silo. */
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

/** The groups of each user, as far as loaded. Members of groups are loaded after the page. */
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
