import { Pencil, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import {
  vpcRouterRouteDelete,
  vpcRouterRouteList,
  vpcRouterRouteUpdate,
} from '~/api/generated/operations'
import type { RouterRoute, VpcRouter } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirm } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { routeDeleteRefusal, routeEditRefusal } from './router-route'
import { routeEditPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** What can be done with a route of a router. */
export function routeActions(route: RouterRoute, router: VpcRouter, params: VpcParams): Action[] {
  const { id, name } = route
  const refusal = routeEditRefusal(route)
  return [
    {
      id: `route-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      disabledReason: refusal,
      needs: vpcRouterRouteUpdate,
      href: refusal ? undefined : routeEditPath(params, router.name, name),
    },
    {
      id: `route-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: routeDeleteRefusal(router),
      needs: vpcRouterRouteDelete,
      perform: () =>
        confirm({
          title: 'Confirm remove route',
          body: (
            <p>
              Are you sure you want to delete route <b>{name}</b>?
            </p>
          ),
          tone: 'danger',
          errorTitle: 'Could not remove route',
          action: () => remove(id),
        }),
    },
  ]
}

// An id needs no router beside it, and the server refuses one that comes with both.
async function remove(id: string) {
  await call(vpcRouterRouteDelete, { path: { route: id } })
  await invalidate(vpcRouterRouteList)
  toast({ content: 'Route deleted' })
}
