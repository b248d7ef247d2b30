import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import { ruleUpdate } from './firewall-rule'
import { ruleBody } from './firewall-rule-form'
import type { FirewallRuleValues } from './firewall-rule-form'
import { firewallRules } from './firewall-rules-query'
import { ReachabilityEffect } from './reachability-effect'
import type { VpcParams } from './vpc-path'

/** How the reasons call a new rule. They do not follow its name, so that nothing is asked while that is typed. */
const UNNAMED = 'this-rule'

interface FirewallRuleEffectProps {
  of: VpcParams
  /** The name of the rule that is changed; `undefined` for a new one. */
  changed?: string
  control: Control<FirewallRuleValues>
}

/** What the rule in the form would change. */
export function FirewallRuleEffect({ of, changed, control }: FirewallRuleEffectProps) {
  const values = useWatch({ control }) as FirewallRuleValues
  const { data } = useQuery(firewallRules(of))
  if (!data) return null
  const others = data.rules.filter(({ name }) => name !== changed)
  const isTaken = others.some(({ name }) => name === UNNAMED)
  const name = changed ?? (isTaken ? `${UNNAMED}-2` : UNNAMED)
  const rule = { ...ruleBody(values), name, description: '' }
  return (
    <ReachabilityEffect of={of} changes={{ firewallRules: [...others.map(ruleUpdate), rule] }} />
  )
}

/** What the deletion of a rule would change. */
export function FirewallRuleDeletionEffect({ of, name }: { of: VpcParams; name: string }) {
  const { data } = useQuery(firewallRules(of))
  if (!data) return null
  const rest = data.rules.filter((rule) => rule.name !== name)
  return <ReachabilityEffect of={of} changes={{ firewallRules: rest.map(ruleUpdate) }} />
}
