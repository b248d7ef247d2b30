import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'

import { startLive } from '~/api/live/start'
import { setDraftOwner } from '~/lib/draft-storage'
import { SIGNED_IN_KEY } from '~/lib/storage-keys'
import { KINDS } from '~/resource/registry'

import { rememberScreens } from './remember-screens'
import { currentView } from './view-as'
import { followViewOfOtherTabs } from './view-of-other-tabs'

/**
 * What begins when it is known who is signed in, or is viewed by whoever has, until the signal aborts: cached answers about every kind of object are kept up to date, the
 * screens that the person opens are remembered, what the person enters in forms is kept, and the login screens know when the session has ended.
 */
export function followPerson(
  client: QueryClient,
  router: AnyRouter,
  person: string,
  signal: AbortSignal,
): void {
  followViewOfOtherTabs(signal)
  startLive(client, KINDS, person, signal)
  // The browser keeps the screens of one person: of the one who has signed in.
  if (!currentView()) rememberScreens(router, person, signal)
  sessionStorage.setItem(SIGNED_IN_KEY, 'yes')
  setDraftOwner(person)
}
