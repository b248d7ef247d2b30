import { Pencil, Trash2 } from 'lucide-react'

import {
  alertReceiverDelete,
  alertReceiverList,
  webhookReceiverUpdate,
} from '~/api/generated/operations'
import type { AlertReceiver } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as text from '~/messages/alert'
import * as common from '~/messages/common'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'

interface AlertReceiverContext {
  openEdit: (receiver: AlertReceiver) => void
  /** Leaves the page of the receiver before it is deleted. */
  leave?: () => Promise<unknown>
}

/** The actions of an alert receiver, in the list or on its own page. */
export function alertReceiverActions(
  receiver: AlertReceiver,
  { openEdit, leave }: AlertReceiverContext,
): Action[] {
  const { id, name } = receiver
  const remove = () =>
    askToDelete({
      of: { kind: 'alert_receiver', id },
      kind: 'alert-receiver',
      label: name,
      extra: text.deleteReceiverHelp,
      send: planned(alertReceiverDelete, { path: { receiver: name } }),
      leave,
      done: async () => {
        await invalidate(alertReceiverList)
        toast({ content: text.receiverDeletedToast(name) })
      },
    })
  return [
    {
      id: `alert-receiver-edit-${id}`,
      label: common.editLabel,
      icon: Pencil,
      needs: webhookReceiverUpdate,
      perform: () => openEdit(receiver),
    },
    activityAction({ kind: 'alert_receiver', id, name }),
    codeAction(id, { kind: 'alert-receiver', name }),
    {
      id: `alert-receiver-delete-${id}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      needs: alertReceiverDelete,
      perform: remove,
    },
  ]
}
