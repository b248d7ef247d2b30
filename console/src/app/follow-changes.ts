import type { QueryClient } from '@tanstack/react-query'

import { startLive } from '~/api/live/start'
import { KINDS } from '~/resource/registry'

/** Keeps what the cache holds of every kind of thing up to date, until the signal says otherwise. */
export const followChanges = (client: QueryClient, person: string, signal: AbortSignal): void =>
  startLive(client, KINDS, person, signal)
