import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'

import { startLive } from '~/api/live/start'
import { setDraftOwner } from '~/lib/draft-storage'
import { SIGNED_IN_KEY } from '~/lib/storage-keys'
import { KINDS } from '~/resource/registry'

import { rememberScreens } from './remember-screens'

/**
 * What begins when it is known who is signed in, until the signal aborts: cached answers about every kind of object are kept up to date, the
 * screens that the person opens are remembered, what the person enters in forms is kept, and the login screens know when the session has ended.
 */
export function followPerson(
  client: QueryClient,
  router: AnyRouter,
  person: string,
  signal: AbortSignal,
): void {
  startLive(client, KINDS, person, signal)
  rememberScreens(router, person, signal)
  sessionStorage.setItem(SIGNED_IN_KEY, 'yes')
  setDraftOwner(person)
}
