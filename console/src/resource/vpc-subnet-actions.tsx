import { vpcSubnetDelete, vpcSubnetList, vpcSubnetUpdate } from '~/api/generated/operations'
import type { VpcSubnet } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/vpc-subnet'

import { subnetEditPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** What can be done with a subnet in the list of a VPC's subnets. */
export function subnetActions({ id, name }: VpcSubnet, params: VpcParams): Action[] {
  return [
    editAction(id, vpcSubnetUpdate, subnetEditPath(params, name)),
    deleteAction(id, {
      operation: vpcSubnetDelete,
      // An id needs no VPC beside it, and the server refuses one that comes with both.
      input: { path: { subnet: id } },
      label: name,
      refreshes: [vpcSubnetList],
      toast: text.deletedToast,
    }),
  ]
}
