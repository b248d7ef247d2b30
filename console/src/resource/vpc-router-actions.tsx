import {
  vpcRouterDelete,
  vpcRouterList,
  vpcRouterUpdate,
  vpcSubnetList,
} from '~/api/generated/operations'
import type { VpcRouter } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/router'

import { labelsAction } from './labels-action'
import { routerPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** The actions of a router in the list of a VPC's routers. A system router can be renamed. */
export function routerActions({ id, name, kind }: VpcRouter, params: VpcParams): Action[] {
  return [
    editAction(id, vpcRouterUpdate, `${routerPath(params, name)}/edit`),
    labelsAction({ kind: 'vpc_router', id, name, project: params.project }, vpcRouterUpdate),
    activityAction({ kind: 'vpc_router', id, name }),
    codeAction(id, { kind: 'router', ...params, name }),
    deleteAction(id, {
      operation: vpcRouterDelete,
      resource: 'vpc_router',
      input: { path: { router: name }, query: params },
      label: name,
      extra: text.deleteHelp,
      disabledReason: kind === 'system' ? text.deleteSystemRouterError : undefined,
      // Subnets that used the router no longer have a custom router.
      refreshes: [vpcRouterList, vpcSubnetList],
      toast: text.deletedToast(name),
    }),
  ]
}
