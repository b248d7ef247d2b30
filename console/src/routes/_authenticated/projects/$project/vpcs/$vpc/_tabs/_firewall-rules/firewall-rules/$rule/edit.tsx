import { createFileRoute, notFound } from '@tanstack/react-router'
import { useState } from 'react'

import { load, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { firewallRules } from '~/resource/firewall-rules-query'

import { EditFirewallRule } from '../../-edit-firewall-rule'
import { firewallRulesCrumb } from '../../-firewall-rules-crumb'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_firewall-rules/firewall-rules/$rule/edit',
)({
  loader: async ({ context, params }) => {
    const { rules } = await load(context.queryClient, firewallRules(params))
    if (!rules.some(({ name }) => name === params.rule)) throw notFound()
  },
  staticData: { crumb: [firewallRulesCrumb, { label: crumbs.editRuleLabel, titleOnly: true }] },
  component: EditRule,
})

function EditRule() {
  const { project, vpc, rule: name } = Route.useParams()
  const of = { project, vpc }
  const { rules } = useLoaded(firewallRules(of))
  // The list is refetched while the form is open. The form keeps the rule that it was opened for.
  const [rule] = useState(() => rules.find((each) => each.name === name))
  if (!rule) throw notFound()
  const others = rules.filter((each) => each.name !== name)
  return <EditFirewallRule of={of} rule={rule} others={others} />
}
