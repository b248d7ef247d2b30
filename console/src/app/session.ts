import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'

import { ApiError } from '~/api/errors'
import { currentUserGroups, currentUserView, systemPolicyView } from '~/api/generated/operations'
import type { CurrentUser, FleetRolePolicy, Group } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load, q, qOutcome, useLoaded } from '~/api/query'

/** Who one is changes rarely, so it is read again at most once a minute. */
const fresh = { staleTime: 60_000 }

const me = q(currentUserView, {}, fresh)
const groups = q(currentUserGroups, { query: { limit: allItems } }, fresh)
/** Being refused is an answer: the person is no fleet viewer. */
const systemPolicy = qOutcome(systemPolicyView, {}, fresh)

/** Loads what every signed-in screen may ask of {@link useSession}. */
export async function loadSession(client: QueryClient): Promise<void> {
  await Promise.all([load(client, me), load(client, groups), load(client, systemPolicy)])
}

/** Whether {@link useSession} would find everything it needs. */
export const isSessionLoaded = (client: QueryClient): boolean =>
  [me, groups, systemPolicy].every(({ queryKey }) => client.getQueryData(queryKey) !== undefined)

/**
 * Loader of the system screens. To people who may not read the system policy they do not exist.
 * @throws ApiError when the server could not say whether they may, so that they can try again.
 */
export async function requireFleetViewer(client: QueryClient): Promise<void> {
  const isFailure = (statusCode: number | undefined) =>
    statusCode !== undefined && statusCode >= 500
  let outcome = await load(client, systemPolicy)
  if (outcome.type === 'error' && isFailure(outcome.data.statusCode)) {
    outcome = await load(client, { ...systemPolicy, staleTime: 0 })
  }
  if (outcome.type === 'success') return
  if (isFailure(outcome.data.statusCode)) throw new ApiError(outcome.data)
  throw notFound()
}

/** Who is signed in. */
export interface Session {
  me: CurrentUser
  groups: Group[]
  /** The roles on the fleet; nothing for people who may not read them. */
  fleetPolicy: FleetRolePolicy | undefined
  /** Whether the person may read the system policy, and so sees the system screens. */
  isFleetViewer: boolean
}

export function useSession(): Session {
  const fleetPolicy = useLoaded(systemPolicy)
  return {
    me: useLoaded(me),
    groups: useLoaded(groups).items,
    fleetPolicy: fleetPolicy.type === 'success' ? fleetPolicy.data : undefined,
    isFleetViewer: fleetPolicy.type === 'success',
  }
}
