import { createFileRoute } from '@tanstack/react-router'

import * as crumbs from '~/messages/project-crumb-screens'

import { CreateFirewallRule } from '../-create-firewall-rule'
import { firewallRulesCrumb } from '../-firewall-rules-crumb'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/firewall-rules-new/$rule',
)({
  staticData: { crumb: [firewallRulesCrumb, { label: crumbs.newRuleLabel, titleOnly: true }] },
  component: CloneRule,
})

function CloneRule() {
  const { project, vpc, rule } = Route.useParams()
  return <CreateFirewallRule of={{ project, vpc }} copied={rule} />
}
