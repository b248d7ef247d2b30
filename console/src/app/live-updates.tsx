import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

import { liveState, setLiveState, subscribeLiveState } from '~/api/live/state'
import { onDemand } from '~/ui/on-demand'

import { useSession } from './session'

/** Lets every screen follow what happens, for as long as somebody is signed in. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  const { id } = useSession().me
  useEffect(() => {
    const end = new AbortController()
    // No screen waits for it, so it comes after them.
    import('./follow-changes').then(
      ({ followChanges }) => followChanges(client, id, end.signal),
      () => setLiveState('polling'),
    )
    return () => end.abort()
  }, [client, id])
}

const useLiveState = () => useSyncExternalStore(subscribeLiveState, liveState)

/** Whether changes appear by themselves, rather than by asking again and again. */
export const useIsLive = (): boolean => useLiveState() === 'live'

const LiveStateNote = onDemand(() =>
  import('./live-state-note').then(({ LiveStateNote }) => LiveStateNote),
)

/** Says whether what is on the screen is kept up to date by itself. Nothing until that is known. */
export function LiveNote() {
  const state = useLiveState()
  return state === 'starting' ? null : <LiveStateNote state={state} />
}
