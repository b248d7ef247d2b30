import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'

import { currentUserGroups, currentUserView, systemPolicyView } from '~/api/generated/operations'
import type { CurrentUser, Permissions } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'

import { allows, permissionsOn } from './permissions'
import { loadView, viewAs } from './view-as'

/** The current user changes rarely, so it is refetched at most once a minute. */
const fresh = { staleTime: 60_000 }

const me = q(currentUserView, {}, fresh)
/** The groups that the person is in, for the screens that show them. */
export const ownGroups = q(currentUserGroups, { query: { limit: allItems } }, fresh)
const onFleet = permissionsOn({ on: 'fleet' })

/** Loads what every signed-in screen may ask of {@link useSession}. */
export async function loadSession(client: QueryClient): Promise<void> {
  await Promise.all([load(client, me), load(client, onFleet), loadView(client)])
}

/** Whether {@link useSession} would find everything it needs. */
export const isSessionLoaded = (client: QueryClient): boolean =>
  [me, onFleet, viewAs].every(({ queryKey }) => client.getQueryData(queryKey) !== undefined)

/** Loader of the system screens. To people who may not read the system policy they do not exist. */
export async function requireFleetViewer(client: QueryClient): Promise<void> {
  if (!allows(await load(client, onFleet), systemPolicyView)) throw notFound()
}

/** Like {@link requireFleetViewer}, from the cached session and without a request. */
export function requireKnownFleetViewer(client: QueryClient): void {
  const known = client.getQueryData<Permissions>(onFleet.queryKey)
  if (known && !allows(known, systemPolicyView)) throw notFound()
}

/** Who is signed in. */
export interface Session {
  me: CurrentUser
  /** Whether the person may read the system policy, and so sees the system screens. */
  isFleetViewer: boolean
}

export function useSession(): Session {
  return {
    me: useLoaded(me),
    isFleetViewer: allows(useLoaded(onFleet), systemPolicyView),
  }
}
