import { Pencil, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import {
  ipPoolDelete,
  ipPoolList,
  ipPoolUpdate,
  projectIpPoolList,
  siloIpPoolList,
} from '~/api/generated/operations'
import type { IpPool } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { IP_POOLS_PATH } from './system-paths'

interface IpPoolContext {
  /** Why the pool cannot be deleted, as far as the screen knows; the server says so otherwise. */
  deleteRefusal?: string
  /** Leaves the page of the pool before it is gone. */
  leave?: () => Promise<unknown>
}

/** What can be done with an IP pool, in a list or on its own page. */
export function ipPoolActions(
  { id, name }: Pick<IpPool, 'id' | 'name'>,
  { deleteRefusal, leave }: IpPoolContext = {},
): Action[] {
  const remove = async () => {
    await call(ipPoolDelete, { path: { pool: name } })
    await leave?.()
    await invalidate(ipPoolList, siloIpPoolList, projectIpPoolList)
    toast({
      content: (
        <>
          Pool <b>{name}</b> deleted
        </>
      ),
    })
  }
  return [
    {
      id: `ip-pool-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      needs: ipPoolUpdate,
      href: `${IP_POOLS_PATH}/${name}/edit`,
    },
    {
      id: `ip-pool-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      disabledReason: deleteRefusal,
      needs: ipPoolDelete,
      perform: () =>
        confirmDelete({
          label: name,
          extra: 'It is unlinked from every silo. A pool that contains ranges cannot be deleted.',
          action: remove,
        }),
    },
  ]
}
