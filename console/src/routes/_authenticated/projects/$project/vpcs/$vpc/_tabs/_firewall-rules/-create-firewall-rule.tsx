import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import type { ApiError } from '~/api/errors'
import { vpcFirewallRulesView } from '~/api/generated/operations'
import type { VpcFirewallRules, VpcFirewallRuleUpdate } from '~/api/generated/types.gen'
import { invalidate, useLoaded } from '~/api/query'
import { firewallRuleToast } from '~/resource/firewall-rule-actions'
import { createRule } from '~/resource/firewall-rule-changes'
import { cloneValues } from '~/resource/firewall-rule-form'
import { firewallRules } from '~/resource/firewall-rules-query'
import type { VpcParams } from '~/resource/vpc-path'

import { FirewallRuleForm } from './-firewall-rule-form'

interface CreateFirewallRuleProps {
  of: VpcParams
  /** Name of the rule that the form starts as a copy of. The form is blank without it or if no rule has this name. */
  copied?: string
}

/** The form that creates a rule. */
export function CreateFirewallRule({ of, copied }: CreateFirewallRuleProps) {
  const navigate = useNavigate()
  const { rules } = useLoaded(firewallRules(of))
  const [initial] = useState(() => cloneValues(rules.find(({ name }) => name === copied)))
  const close = () =>
    navigate({ to: '/projects/$project/vpcs/$vpc/firewall-rules', params: { ...of } })
  const create = useMutation<VpcFirewallRules, ApiError, VpcFirewallRuleUpdate>({
    mutationFn: (rule) => createRule(of, rule),
    onSuccess: async (_, { name }) => {
      await invalidate(vpcFirewallRulesView)
      await close()
      firewallRuleToast(name, 'created')
    },
  })
  return (
    <FirewallRuleForm
      of={of}
      initial={initial}
      others={rules}
      onSubmit={create.mutate}
      onDismiss={() => void close()}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
