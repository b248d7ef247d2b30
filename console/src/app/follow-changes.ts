import type { QueryClient } from '@tanstack/react-query'

import { startLive } from '~/api/live/start'
import { KINDS } from '~/resource/registry'

/** Keeps cached answers about every kind of object up to date, until the signal aborts. */
export const followChanges = (client: QueryClient, person: string, signal: AbortSignal): void =>
  startLive(client, KINDS, person, signal)

export { rememberScreens } from './remember-screens'
