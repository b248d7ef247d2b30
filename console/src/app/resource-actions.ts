import { Braces, ScrollText, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'

import type { Endpoint, Input, Operation, OperationData } from '~/api/operation'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { CodeSubject } from '~/as-code/subject'
import * as activity from '~/messages/activity-menu'
import * as common from '~/messages/common'
import * as forms from '~/messages/forms'
import type { ActiveThing } from '~/resource/activity-panel'
import { askToDelete } from '~/resource/deletion'
import type { DeletedKind } from '~/ui/confirm-delete'
import type { Several } from '~/ui/menu'
import { tellMissing } from '~/ui/on-demand'
import { toast } from '~/ui/toast'

import type { Action } from './action-registry'

/** An action that opens the edit form of the object with the given id. */
export const editAction = (id: string, operation: Endpoint, href: string): Action => ({
  id: `edit-${id}`,
  label: common.editLabel,
  icon: Pencil,
  needs: operation,
  href,
})

/** An action that shows the object with the given id as code: the calls that show it and would make it again. */
export const codeAction = (id: string, subject: CodeSubject): Action => ({
  id: `code-${id}`,
  label: forms.asCodeLabel,
  icon: Braces,
  needs: null,
  perform: () =>
    void import('~/as-code/resource-code').then(({ openCode }) => openCode(subject), tellMissing),
})

/** The action that shows what was done to a resource. Whoever sees the resource may read it. */
export const activityAction = ({ kind, id, name }: ActiveThing): Action => ({
  id: `activity-${id}`,
  label: activity.activityLabel,
  icon: ScrollText,
  needs: null,
  perform: () =>
    void import('~/resource/activity-panel').then(
      ({ openActivity }) => openActivity({ kind, id, name }),
      tellMissing,
    ),
})

/** The same for a resource that has a screen or a tab for it. */
export const activityLink = (id: string, href: string): Action => ({
  id: `activity-${id}`,
  label: activity.activityLabel,
  icon: ScrollText,
  href,
})

/** How a thing is deleted. */
interface Deletion<Data extends OperationData, Response> {
  operation: Operation<Data, Response>
  input: Input<Data>
  /** Its kind, as events have it, if the server describes its deletion. */
  resource?: string
  /** The parts of the question: the kind for its title, the name, and further consequences. */
  kind?: DeletedKind
  label: ReactNode
  extra?: ReactNode
  /** Why it cannot be deleted now. */
  disabledReason?: ReactNode
  /** Leaves a page that shows only this object, before its data is refetched. */
  leave?: () => Promise<unknown>
  /** The operations to refetch afterwards. */
  refreshes: readonly Endpoint[]
  /** Content of the toast. */
  toast?: ReactNode
  /** How it is deleted when several are. */
  several?: Several
}

/** An action that deletes the object with the given id, after a confirmation. */
export const deleteAction = <Data extends OperationData, Response>(
  id: string,
  { disabledReason, several, ...deletion }: Deletion<Data, Response>,
): Action => ({
  id: `delete-${id}`,
  label: common.deleteLabel,
  icon: Trash2,
  destructive: true,
  disabledReason,
  needs: deletion.operation,
  perform: () => deleteOne(id, deletion),
  several,
})

function deleteOne<Data extends OperationData, Response>(
  id: string,
  {
    operation,
    input,
    resource,
    refreshes,
    toast: content,
    ...question
  }: Omit<Deletion<Data, Response>, 'disabledReason' | 'several'>,
): void {
  askToDelete({
    ...question,
    of: resource === undefined ? undefined : { kind: resource, id },
    send: planned(operation, input),
    done: async () => {
      await invalidate(...refreshes)
      if (content) toast({ content })
    },
  })
}
