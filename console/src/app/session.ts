import type { QueryClient } from '@tanstack/react-query'

import { currentUserGroups, currentUserView, systemPolicyView } from '~/api/generated/operations'
import type { CurrentUser, Group } from '~/api/generated/types.gen'
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

/** Who is signed in. */
export interface Session {
  me: CurrentUser
  groups: Group[]
  /** Whether the person may read the system policy, and so sees the system screens. */
  isFleetViewer: boolean
}

export function useSession(): Session {
  return {
    me: useLoaded(me),
    groups: useLoaded(groups).items,
    isFleetViewer: useLoaded(systemPolicy).type === 'success',
  }
}
