import { vpcDelete, vpcList, vpcUpdate } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { deleteAction, editAction } from '~/app/resource-actions'
import type { PageDocs } from '~/ui/page-header'

import { vpcPath } from './vpc-path'

/** What a VPC is, for the info button of the screens about VPCs. */
export const vpcDocs: PageDocs = {
  heading: 'VPCs',
  summary:
    'A VPC is a private network in a project, isolated from all others. Its instances reach each other through subnets and routers. Firewall rules determine which traffic is allowed.',
  links: [
    { label: 'Networking', href: '/explorer?operation=vpc_create' },
    { label: 'Firewall Rules', href: '/explorer?operation=vpc_firewall_rules_update' },
  ],
}

/** What can be done with a VPC, in a list or on its own page, which `leave` leads away from. */
export function vpcActions(
  { id, name }: Vpc,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] {
  return [
    editAction(id, vpcUpdate, `${vpcPath(project, name)}/edit`),
    deleteAction(id, {
      operation: vpcDelete,
      input: { path: { vpc: name }, query: { project } },
      label: name,
      extra:
        'Its firewall rules, routers and gateways are deleted too. Its subnets have to be deleted first.',
      leave,
      refreshes: [vpcList],
      toast: (
        <>
          VPC <b>{name}</b> deleted
        </>
      ),
    }),
  ]
}
