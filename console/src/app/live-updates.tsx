import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'

import { liveState, setLiveState, subscribeLiveState } from '~/api/live/state'
import { onDemand } from '~/ui/on-demand'

import { useSession } from './session'

/** Keeps every screen up to date while somebody is signed in, and remembers what they open. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  const router = useRouter()
  const { id } = useSession().me
  useEffect(() => {
    const end = new AbortController()
    // Loaded after the first screen, because no screen waits for it.
    import('./follow-changes').then(
      ({ followPerson }) => followPerson(client, router, id, end.signal),
      () => setLiveState('polling'),
    )
    return () => end.abort()
  }, [client, router, id])
}

const useLiveState = () => useSyncExternalStore(subscribeLiveState, liveState)

/** Whether changes arrive through the stream of events, not by polling. */
export const useIsLive = (): boolean => useLiveState() === 'live'

const TopBarNotes = onDemand(() => import('./top-bar-notes').then(({ TopBarNotes }) => TopBarNotes))

/** Shows what runs the machines, work in the background, and whether the screen is updated live. Shows nothing until that is known. */
export function LiveNote() {
  const state = useLiveState()
  return state === 'starting' ? null : <TopBarNotes state={state} />
}
