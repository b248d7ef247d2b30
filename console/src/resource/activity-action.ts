import { History } from 'lucide-react'

import type { Action } from '~/app/action-registry'
import * as text from '~/messages/activity-menu'
import { tellMissing } from '~/ui/on-demand'

/** A resource that things are done to. */
export interface ActiveThing {
  /** The kind, as the server's events have it. */
  kind: string
  id: string
  name: string
}

/** The action that shows what was done to a resource: for whoever may read it, as whoever sees it may. */
export const activityAction = ({ kind, id, name }: ActiveThing): Action => ({
  id: `activity-${id}`,
  label: text.activityLabel,
  icon: History,
  needs: null,
  perform: () =>
    void import('./activity-panel').then(
      ({ openActivity }) => openActivity({ kind, id, name }),
      tellMissing,
    ),
})

/** The same for a resource whose page has it on a tab. */
export const activityLink = (id: string, href: string): Action => ({
  id: `activity-${id}`,
  label: text.activityLabel,
  icon: History,
  needs: null,
  href,
})
