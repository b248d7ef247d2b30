import type { ReactNode } from 'react'

import type { Viewing } from '~/api/generated/types.gen'
import * as text from '~/messages/view-as'
import { RefusalContext } from '~/ui/refusal-context'
import type { Needs, Refuse } from '~/ui/refusal-context'

import { ViewAsBar } from './view-as-bar'

/** What is possible in a view although it does not GET: it only reads, or ends the view. */
const POSSIBLE = new Set([
  'instancePreview',
  'logout',
  'systemTimeseriesQuery',
  'timeseriesQuery',
  'viewAsEnd',
  'vpcReachabilityChanges',
  'vpcTrace',
])

/** Whether the server refuses an operation during a view. The one GET among them sends the input of a serial console. */
const isHeld = (needs: Needs | undefined): boolean =>
  needs?.name === 'instanceSerialConsoleStream' ||
  (needs?.method !== undefined && needs.method !== 'GET' && !POSSIBLE.has(needs.name))

/** What there is while an administrator views Croft as another user. */
export interface View {
  viewing: Viewing
  /** Refuses what the server would refuse. */
  refuse: Refuse
  /** Marks the screens inside, and holds back what changes something. */
  Frame: typeof ViewAsFrame
}

export const viewOf = (viewing: Viewing): View => ({
  viewing,
  refuse: (needs) => (isHeld(needs) ? text.changeError(viewing.user.displayName) : undefined),
  Frame: ViewAsFrame,
})

function ViewAsFrame({ view, children }: { view: View; children: ReactNode }) {
  return (
    <RefusalContext value={view.refuse}>
      <div className="view-as-frame flex h-dvh flex-col">
        <ViewAsBar viewing={view.viewing} />
        <div className="min-h-0 grow">{children}</div>
        <div
          aria-hidden="true"
          className="pointer-events-none fixed inset-0 z-50 border-4 border-notice-solid"
        />
      </div>
    </RefusalContext>
  )
}
