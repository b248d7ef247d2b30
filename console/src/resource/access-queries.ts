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

/** The scope whose access is shown and changed. */
export type AccessScope = { kind: 'silo' } | { kind: 'project'; project: string }

/** The roles on the silo. */
export const siloPolicy = q(policyView, {})

/** The roles on a project. */
export const projectPolicy = (project: string) => q(projectPolicyView, { path: { project } })

/** All users of the silo. */
export const users = q(userList, { query: { limit: allItems } })

/** All groups of the silo. */
export const groups = q(groupList, { query: { limit: allItems } })

/** The members of a group. */
export const members = (group: string) =>
  // A policy may still name a group that was deleted.
  q(userList, { query: { group, limit: allItems } }, { allowNotFound: true, staleTime: 60_000 })

/** The silo's settings for sign-in with a password. */
export const signInSettings = q(signInSettingsView, {})

/** Loads the data that the access screens need. */
export async function loadAccess(client: QueryClient, scope: AccessScope): Promise<void> {
  await Promise.all([
    load(client, siloPolicy),
    scope.kind === 'project' && load(client, projectPolicy(scope.project)),
    load(client, users),
    load(client, groups),
    load(client, ownGroups),
  ])
}
