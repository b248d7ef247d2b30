import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'

import { liveState, setLiveState, subscribeLiveState } from '~/api/live/state'
import { cn } from '~/ui/class-names'
import { Tooltip } from '~/ui/tooltip'

import { useSession } from './session'

/** Lets every screen follow what happens, for as long as somebody is signed in. */
export function useLiveUpdates(): void {
  const client = useQueryClient()
  const { id } = useSession().me
  useEffect(() => {
    const end = new AbortController()
    // No screen waits for it, so it comes after them.
    import('~/api/live/start').then(
      ({ startLive }) => startLive(client, id, end.signal),
      () => setLiveState('polling'),
    )
    return () => end.abort()
  }, [client, id])
}

const useLiveState = () => useSyncExternalStore(subscribeLiveState, liveState)

/** Whether changes appear by themselves, rather than by asking again and again. */
export const useIsLive = (): boolean => useLiveState() === 'live'

const LOOKS = {
  live: {
    label: 'Live',
    text: 'Changes appear as they happen.',
    dot: 'bg-success-solid',
  },
  polling: {
    label: 'Polling',
    text: 'The stream of changes is interrupted. Screens that show something in progress ask for it every few seconds; others are as of when they were opened.',
    dot: 'border-[1.5px] border-notice-solid',
  },
}

/** Says whether what is on the screen is kept up to date by itself. Nothing until that is known. */
export function LiveNote() {
  const state = useLiveState()
  if (state === 'starting') return null
  const { label, text, dot } = LOOKS[state]
  return (
    <Tooltip
      content={
        <>
          <b className="font-medium">{label}.</b> {text}
        </>
      }
    >
      <span
        role="img"
        aria-label={label}
        tabIndex={0}
        data-testid="live-state"
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm"
      >
        <span aria-hidden="true" className={cn('size-2 rounded-full', dot)} />
      </span>
    </Tooltip>
  )
}
