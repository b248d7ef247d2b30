import { Pencil, Trash2 } from 'lucide-react'

import {
  vpcRouterRouteDelete,
  vpcRouterRouteList,
  vpcRouterRouteUpdate,
} from '~/api/generated/operations'
import type { RouterRoute, VpcRouter } from '~/api/generated/types.gen'
import { planned } from '~/api/planned-call'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/router-route'
import { onDemand } from '~/ui/on-demand'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { routeDeleteRefusal, routeEditRefusal } from './router-route'
import { routeEditPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

const DeletionEffect = onDemand(async () => (await import('./route-effect')).RouteDeletionEffect)

/** The actions of a route of a router. */
export function routeActions(route: RouterRoute, router: VpcRouter, params: VpcParams): Action[] {
  const { id, name } = route
  const refusal = routeEditRefusal(route)
  return [
    {
      id: `route-edit-${id}`,
      label: common.editLabel,
      icon: Pencil,
      disabledReason: refusal,
      needs: vpcRouterRouteUpdate,
      href: refusal ? undefined : routeEditPath(params, router.name, name),
    },
    activityAction({ kind: 'router_route', id, name }),
    codeAction(id, { kind: 'route', ...params, router: router.name, name }),
    {
      id: `route-delete-${id}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      disabledReason: routeDeleteRefusal(router),
      needs: vpcRouterRouteDelete,
      perform: () =>
        askToDelete({
          title: text.deleteTitle,
          label: name,
          question: text.deleteQuestion(name),
          effect: <DeletionEffect of={params} router={router.name} name={name} />,
          errorTitle: text.deleteErrorTitle,
          // The server refuses requests that contain both the id of a route and a router.
          send: planned(vpcRouterRouteDelete, { path: { route: id } }),
          done: async () => {
            await invalidate(vpcRouterRouteList)
            toast({ content: text.deletedToast })
          },
        }),
    },
  ]
}
