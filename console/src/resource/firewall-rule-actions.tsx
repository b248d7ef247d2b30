import { CopyPlus, Pencil, Trash2 } from 'lucide-react'

import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '~/api/generated/operations'
import type { VpcFirewallRule } from '~/api/generated/types.gen'
import { invalidate } from '~/api/query'
import type { Action } from '~/app/action-registry'
import { codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/firewall-rule'
import { onDemand } from '~/ui/on-demand'
import { toast } from '~/ui/toast'

import { askToDelete } from './deletion'
import { deleteRule, deletionCalls } from './firewall-rule-changes'
import type { VpcParams } from './vpc-path'
import { firewallRuleEditPath, newFirewallRulePath } from './vpc-path'

const DeletionEffect = onDemand(
  async () => (await import('./firewall-rule-effect')).FirewallRuleDeletionEffect,
)

/** Shows that a firewall rule was created or updated. */
export function firewallRuleToast(name: string, done: 'created' | 'updated'): void {
  toast({ content: done === 'created' ? text.createdToast(name) : text.updatedToast(name) })
}

/** The actions of a firewall rule. */
export function firewallRuleActions(rule: VpcFirewallRule, of: VpcParams): Action[] {
  const { name } = rule
  const remove = async () => {
    try {
      await deleteRule(of, rule)
    } finally {
      // If the rule has changed in the meantime, the person has to see its current state.
      await invalidate(vpcFirewallRulesView)
    }
  }
  return [
    {
      id: `rule-edit-${name}`,
      label: common.editLabel,
      icon: Pencil,
      needs: vpcFirewallRulesUpdate,
      href: firewallRuleEditPath(of, name),
    },
    {
      id: `rule-clone-${name}`,
      label: text.cloneLabel,
      icon: CopyPlus,
      needs: vpcFirewallRulesUpdate,
      href: newFirewallRulePath(of, name),
    },
    codeAction(`rules-${name}`, { kind: 'firewall-rules', project: of.project, vpc: of.vpc }),
    {
      id: `rule-delete-${name}`,
      label: common.deleteLabel,
      icon: Trash2,
      destructive: true,
      needs: vpcFirewallRulesUpdate,
      perform: () =>
        askToDelete({
          label: name,
          effect: <DeletionEffect of={of} name={name} />,
          send: remove,
          calls: () => deletionCalls(of, name),
        }),
    },
  ]
}
