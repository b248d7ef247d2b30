import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useEffect, useMemo } from 'react'

import type { Viewing } from '~/api/generated/types.gen'
import { formatTime } from '~/lib/dates'
import * as text from '~/messages/view-as'
import { Button } from '~/ui/button'

import { useActions } from './action-registry'
import type { Action } from './action-registry'
import { leaveView, stopView } from './change-view'
import { viewAs } from './view-as'

/** How often is asked whether the view goes on, in milliseconds. */
const ASK_INTERVAL = 30_000

/** Says above every screen as whom it is seen, and ends that. */
export function ViewAsBar({ viewing }: { viewing: Viewing }) {
  const { user, timeBegun, timeEnds } = viewing
  useEndOfView(timeBegun)
  const actions = useMemo<Action[]>(
    () => [
      {
        id: 'stop-viewing',
        label: text.stopViewingAsLabel(user.displayName),
        icon: Eye,
        needs: null,
        perform: () => void stopView(),
      },
    ],
    [user.displayName],
  )
  useActions(actions, 'layout')
  return (
    <div
      role="status"
      aria-label={text.viewLabel}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 bg-notice-solid px-[var(--gutter)] pt-2.5 pb-1.5 text-sm text-notice-on"
    >
      <Eye aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 grow basis-60 wrap-anywhere">
        {text.viewText(user.displayName, formatTime(timeEnds))}
      </p>
      <Button needs={null} variant="secondary" size="sm" onPress={() => void stopView()}>
        {text.stopLabel}
      </Button>
    </div>
  )
}

/** Leaves when the view is over on the server: after its time, or because the administrator lost the right to it. */
function useEndOfView(timeBegun: Date): void {
  const { data } = useQuery({
    ...viewAs,
    staleTime: 0,
    refetchInterval: ASK_INTERVAL,
    refetchOnWindowFocus: true,
  })
  const isOver = data?.viewing?.timeBegun.getTime() !== timeBegun.getTime()
  useEffect(() => {
    if (isOver) leaveView()
  }, [isOver])
}
