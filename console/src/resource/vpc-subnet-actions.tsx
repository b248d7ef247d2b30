import { Pencil, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import { vpcSubnetDelete, vpcSubnetList, vpcSubnetUpdate } from '~/api/generated/operations'
import type { VpcSubnet } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirmDelete } from '~/ui/confirm'
import { toast } from '~/ui/toast'

import { subnetEditPath } from './vpc-path'
import type { VpcParams } from './vpc-path'

/** What can be done with a subnet in the list of a VPC's subnets. */
export function subnetActions({ id, name }: VpcSubnet, params: VpcParams): Action[] {
  return [
    {
      id: `subnet-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      needs: vpcSubnetUpdate,
      href: subnetEditPath(params, name),
    },
    {
      id: `subnet-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      needs: vpcSubnetDelete,
      perform: () => confirmDelete({ label: name, action: () => remove(id) }),
    },
  ]
}

// An id needs no VPC beside it, and the server refuses one that comes with both.
async function remove(id: string) {
  await call(vpcSubnetDelete, { path: { subnet: id } })
  await invalidate(vpcSubnetList)
  toast({ content: 'Subnet deleted' })
}

/** Says what became of a subnet. */
export function subnetToast(name: string, what: 'created' | 'updated') {
  toast({
    content: (
      <>
        Subnet <b>{name}</b> {what}
      </>
    ),
  })
}
