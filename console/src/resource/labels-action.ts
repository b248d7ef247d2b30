import { Tag } from 'lucide-react'

import type { Endpoint } from '~/api/operation'
import type { Action } from '~/app/action-registry'
import * as text from '~/messages/label-menu'
import { tellMissing } from '~/ui/on-demand'

/** A resource that can have labels. */
export interface LabelledThing {
  /** The kind, as the server's events have it. */
  kind: string
  id: string
  name: string
  /** The project that it is in: where keys and values that are offered are in use. */
  project?: string
}

/**
 * The action that opens the editor of a resource's labels.
 *
 * @param needs an operation that modifies the resource: who may call it may change the labels.
 */
export const labelsAction = (thing: LabelledThing, needs: Endpoint): Action => ({
  id: `labels-${thing.id}`,
  label: text.editLabel,
  icon: Tag,
  needs,
  perform: () =>
    void import('./label-dialog').then(({ openLabels }) => openLabels(thing), tellMissing),
})
