import type { ReactNode } from 'react'

import type { Viewing } from '~/api/generated/types.gen'
import { snakeCase } from '~/api/wire'
import * as text from '~/messages/view-as'
import { RefusalContext } from '~/ui/refusal-context'
import type { Refuse } from '~/ui/refusal-context'

import { ViewAsBar } from './view-as-bar'

/** What there is while an administrator views Croft as another user. */
export interface View {
  viewing: Viewing
  /** Refuses what the server would refuse. */
  refuse: Refuse
  /** Marks the screens inside, and holds back what changes something. */
  Frame: typeof ViewAsFrame
}

export function viewOf(viewing: Viewing): View {
  const possible = new Set(viewing.possibleOperations)
  return {
    viewing,
    refuse: (needs) =>
      needs?.method !== undefined && !possible.has(snakeCase(needs.name))
        ? text.changeError(viewing.user.displayName)
        : undefined,
    Frame: ViewAsFrame,
  }
}

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
