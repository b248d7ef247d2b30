import { createFileRoute } from '@tanstack/react-router'

import * as crumbs from '~/messages/project-crumb-screens'

import { CreateFirewallRule } from '../-create-firewall-rule'
import { firewallRulesCrumb } from '../-firewall-rules-crumb'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/firewall-rules-new/',
)({
  staticData: { crumb: [firewallRulesCrumb, { label: crumbs.newRuleLabel, titleOnly: true }] },
  component: NewRule,
})

function NewRule() {
  return <CreateFirewallRule of={Route.useParams()} />
}
