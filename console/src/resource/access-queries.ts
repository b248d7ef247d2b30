import type { QueryClient } from '@tanstack/react-query'

import {
  groupList,
  policyView,
  projectPolicyView,
  signInSettingsView,
  userList,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { load, q } from '~/api/query'
import { ownGroups } from '~/app/session'

/** What access is shown and changed on. */
export type AccessScope = { kind: 'silo' } | { kind: 'project'; project: string }

/** The roles on the silo. */
export const siloPolicy = q(policyView, {})

/** The roles on a project. */
export const projectPolicy = (project: string) => q(projectPolicyView, { path: { project } })

/** Everybody in the silo. */
export const users = q(userList, { query: { limit: allItems } })

/** All groups of the silo. */
export const groups = q(groupList, { query: { limit: allItems } })

/** Who is in a group. */
export const members = (group: string) =>
  // A group may go while its name still stands in the policy.
  q(userList, { query: { group, limit: allItems } }, { allowNotFound: true, staleTime: 60_000 })

/** What the silo wants of people who sign in with a password. */
export const signInSettings = q(signInSettingsView, {})

/** Loads what the screens of access cannot do without. */
export async function loadAccess(client: QueryClient, scope: AccessScope): Promise<void> {
  await Promise.all([
    load(client, siloPolicy),
    scope.kind === 'project' && load(client, projectPolicy(scope.project)),
    load(client, users),
    load(client, groups),
    load(client, ownGroups),
  ])
}
