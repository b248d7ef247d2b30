import { Pencil, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import {
  vpcRouterDelete,
  vpcRouterList,
  vpcRouterUpdate,
  vpcSubnetList,
} from '~/api/generated/operations'
import type { VpcRouter } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { routerPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** What can be done with a router in the list of a VPC's routers. The name of a system router may change. */
export function routerActions({ id, name, kind }: VpcRouter, params: VpcParams): Action[] {
  return [
    {
      id: `router-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      needs: vpcRouterUpdate,
      href: `${routerPath(params, name)}/edit`,
    },
    {
      id: `router-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: kind === 'system' ? 'System routers cannot be deleted' : undefined,
      needs: vpcRouterDelete,
      perform: () =>
        confirmDelete({
          label: name,
          extra: 'This will also delete any routes belonging to this router.',
          action: () => remove(name, params),
        }),
    },
  ]
}

async function remove(name: string, query: VpcParams) {
  await call(vpcRouterDelete, { path: { router: name }, query })
  // Subnets that used the router do without it from now on.
  await invalidate(vpcRouterList, vpcSubnetList)
  routerToast(name, 'deleted')
}

/** Says what became of a router. */
export function routerToast(name: string, what: 'created' | 'updated' | 'deleted') {
  toast({
    content: (
      <>
        Router <b>{name}</b> {what}
      </>
    ),
  })
}
