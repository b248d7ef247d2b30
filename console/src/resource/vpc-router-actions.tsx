import {
  vpcRouterDelete,
  vpcRouterList,
  vpcRouterUpdate,
  vpcSubnetList,
} from '~/api/generated/operations'
import type { VpcRouter } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/router'

import { routerPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** What can be done with a router in the list of a VPC's routers. The name of a system router may change. */
export function routerActions({ id, name, kind }: VpcRouter, params: VpcParams): Action[] {
  return [
    editAction(id, vpcRouterUpdate, `${routerPath(params, name)}/edit`),
    deleteAction(id, {
      operation: vpcRouterDelete,
      input: { path: { router: name }, query: params },
      label: name,
      extra: text.deleteHelp,
      disabledReason: kind === 'system' ? text.deleteSystemRouterError : undefined,
      // Subnets that used the router do without it from now on.
      refreshes: [vpcRouterList, vpcSubnetList],
      toast: text.deletedToast(name),
    }),
  ]
}
