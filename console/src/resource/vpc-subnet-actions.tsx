import { vpcSubnetDelete, vpcSubnetList, vpcSubnetUpdate } from '~/api/generated/operations'
import type { VpcSubnet } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityAction, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/vpc-subnet'

import { labelsAction } from './labels-action'
import { subnetEditPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** The actions of a subnet in the list of a VPC's subnets. */
export function subnetActions({ id, name }: VpcSubnet, params: VpcParams): Action[] {
  return [
    editAction(id, vpcSubnetUpdate, subnetEditPath(params, name)),
    labelsAction({ kind: 'vpc_subnet', id, name, project: params.project }, vpcSubnetUpdate),
    activityAction({ kind: 'vpc_subnet', id, name }),
    codeAction(id, { kind: 'subnet', ...params, name }),
    deleteAction(id, {
      operation: vpcSubnetDelete,
      resource: 'vpc_subnet',
      // The server refuses requests that contain both the id of a subnet and a VPC.
      input: { path: { subnet: id } },
      label: name,
      refreshes: [vpcSubnetList],
      toast: text.deletedToast,
    }),
  ]
}
