import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import type { ApiError } from '~/api/errors'
import { vpcFirewallRulesView } from '~/api/generated/operations'
import type {
  VpcFirewallRule,
  VpcFirewallRules,
  VpcFirewallRuleUpdate,
} from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import { firewallRuleToast } from '~/resource/firewall-rule-actions'
import { createRule, replaceRule, RuleChangedError } from '~/resource/firewall-rule-changes'
import { ruleValues } from '~/resource/firewall-rule-form'
import type { VpcParams } from '~/resource/vpc-path'

import { FirewallRuleForm } from './-firewall-rule-form'

interface EditFirewallRuleProps {
  of: VpcParams
  rule: VpcFirewallRule
  /** The other rules of the VPC. */
  others: readonly VpcFirewallRule[]
}

/** The form that replaces a rule. */
export function EditFirewallRule({ of, rule, others }: EditFirewallRuleProps) {
  const navigate = useNavigate()
  // The rule as the user last saw it: as it was when the form opened or, after a conflict, as it is now.
  const [seen, setSeen] = useState<VpcFirewallRule | undefined>(rule)
  const close = () =>
    navigate({ to: '/projects/$project/vpcs/$vpc/firewall-rules', params: { ...of } })
  const update = useMutation<VpcFirewallRules, ApiError, VpcFirewallRuleUpdate>({
    mutationFn: (next) => (seen ? replaceRule(of, seen, next) : createRule(of, next)),
    onSuccess: async (_, { name }) => {
      // The name that the form edits may no longer exist, so the form is left before the rules are refetched.
      await close()
      await invalidate(vpcFirewallRulesView)
      firewallRuleToast(name, 'updated')
    },
    onError: (error) => {
      if (error instanceof RuleChangedError) setSeen(error.current)
    },
  })
  return (
    <FirewallRuleForm
      of={of}
      changed={rule.name}
      initial={ruleValues(rule)}
      others={others}
      onSubmit={update.mutate}
      onDismiss={() => void close()}
      loading={update.isPending}
      submitError={update.error}
    />
  )
}
