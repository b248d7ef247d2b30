import {
  ipPoolDelete,
  ipPoolList,
  ipPoolUpdate,
  projectIpPoolList,
  siloIpPoolList,
} from '~/api/generated/operations'
import type { IpPool } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/ip-pool'

import { labelsAction } from './labels-action'
import { IP_POOLS_PATH } from './system-paths'

interface IpPoolContext {
  /** Why the pool cannot be deleted, if the screen knows a reason. Otherwise the server returns the error. */
  deleteRefusal?: string
  /** Leaves the page of the pool before it is deleted. */
  leave?: () => Promise<unknown>
}

/** The actions of an IP pool, in a list or on its own page. */
export function ipPoolActions(
  { id, name }: Pick<IpPool, 'id' | 'name'>,
  { deleteRefusal, leave }: IpPoolContext = {},
): Action[] {
  return [
    editAction(id, ipPoolUpdate, `${IP_POOLS_PATH}/${name}/edit`),
    labelsAction({ kind: 'ip_pool', id, name }, ipPoolUpdate),
    activityAction({ kind: 'ip_pool', id, name }),
    codeAction(id, { kind: 'ip-pool', name }),
    deleteAction(id, {
      operation: ipPoolDelete,
      resource: 'ip_pool',
      input: { path: { pool: name } },
      label: name,
      extra: text.deleteHelp,
      disabledReason: deleteRefusal,
      leave,
      refreshes: [ipPoolList, siloIpPoolList, projectIpPoolList],
      toast: text.deletedToast(name),
    }),
  ]
}
