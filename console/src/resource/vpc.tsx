import { Pencil, Trash2 } from 'lucide-react'

import { call } from '~/api/call'
import { vpcDelete, vpcList, vpcUpdate } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { confirmDelete } from '~/ui/confirm'
import type { PageDocs } from '~/ui/page-header'
import { toast } from '~/ui/toast'

import { vpcPath } from './vpc-path'

/** What a VPC is, for the info button of the screens about VPCs. */
export const vpcDocs: PageDocs = {
  heading: 'VPCs',
  summary:
    'A VPC is a private network of a project, isolated from every other. Its instances reach each other through its subnets and routers; its firewall rules decide what traffic passes.',
  links: [
    { label: 'Networking', href: '/explorer?operation=vpc_create' },
    { label: 'Firewall Rules', href: '/explorer?operation=vpc_firewall_rules_update' },
  ],
}

/** Says what was done to a VPC. */
export function vpcToast(name: string, done: string): void {
  toast({
    content: (
      <>
        VPC <b>{name}</b> {done}
      </>
    ),
  })
}

/** What can be done with a VPC, in a list or on its own page, which `leave` leads away from. */
export function vpcActions(
  { id, name }: Vpc,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] {
  const remove = async () => {
    await call(vpcDelete, { path: { vpc: name }, query: { project } })
    await leave?.()
    await invalidate(vpcList)
    vpcToast(name, 'deleted')
  }
  return [
    {
      id: `vpc-edit-${id}`,
      label: 'Edit',
      icon: Pencil,
      needs: vpcUpdate,
      href: `${vpcPath(project, name)}/edit`,
    },
    {
      id: `vpc-delete-${id}`,
      label: 'Delete',
      icon: Trash2,
      destructive: true,
      needs: vpcDelete,
      perform: () =>
        confirmDelete({
          label: name,
          extra:
            'Its firewall rules, routers and gateways go with it. Its subnets have to be deleted first.',
          action: remove,
        }),
    },
  ]
}
