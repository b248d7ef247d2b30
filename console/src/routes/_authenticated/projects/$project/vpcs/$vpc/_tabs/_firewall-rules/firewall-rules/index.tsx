import { createFileRoute } from '@tanstack/react-router'

import { firewallRulesCrumb } from '../-firewall-rules-crumb'

// The rules are the layout around this route, so that a form over them does not mount them again.
export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/firewall-rules/',
)({ staticData: { crumb: firewallRulesCrumb } })
