import { vpcDelete, vpcList, vpcUpdate } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import type { Action } from '~/app/action-registry'
import { activityLink, codeAction, deleteAction, editAction } from '~/app/resource-actions'
import * as text from '~/messages/vpc'
import type { PageDocs } from '~/ui/page-header'

import { labelsAction } from './labels-action'
import { activityPath, vpcPath } from './vpc-path'

/** Explains VPCs in the info panel of their screens. */
export const vpcDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.networkingLabel, href: '/explorer?operation=vpc_create' },
    { label: text.firewallRulesLabel, href: '/explorer?operation=vpc_firewall_rules_update' },
  ],
}

/** The actions of a VPC, in a list or on its own page. `leave` leaves that page after a deletion. */
export function vpcActions(
  { id, name }: Vpc,
  project: string,
  leave?: () => Promise<unknown>,
): Action[] {
  return [
    editAction(id, vpcUpdate, `${vpcPath(project, name)}/edit`),
    labelsAction({ kind: 'vpc', id, name, project }, vpcUpdate),
    activityLink(id, activityPath({ project, vpc: name })),
    codeAction(id, { kind: 'vpc', project, vpc: name }),
    deleteAction(id, {
      operation: vpcDelete,
      resource: 'vpc',
      input: { path: { vpc: name }, query: { project } },
      label: name,
      leave,
      refreshes: [vpcList],
      toast: text.deletedToast(name),
    }),
  ]
}
