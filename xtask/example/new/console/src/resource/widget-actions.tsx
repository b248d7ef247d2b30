import { widgetDelete, widgetList } from '~/api/generated/operations'
import type { Widget } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { deleteAction } from '~/app/resource-actions'
import * as text from '~/messages/widget'

/** What can be done with a widget in the list of its project. */
export const widgetActions = ({ id, name }: Widget): Action[] => [
  deleteAction(id, {
    operation: widgetDelete,
    input: { path: { widget: id } },
    resource: 'widget',
    label: name,
    refreshes: [widgetList],
    toast: text.deletedToast(name),
  }),
]
