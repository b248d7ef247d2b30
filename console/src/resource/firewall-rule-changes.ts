import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '~/api/generated/operations'
import type {
  VpcFirewallRule,
  VpcFirewallRules,
  VpcFirewallRuleUpdate,
} from '~/api/generated/types.gen'
import { commaList } from '~/lib/text'

import { ruleUpdate, withOwnVpc } from './firewall-rule'
import type { VpcParams } from './vpc-path'

// The server replaces all rules of a VPC at once and does not look whether they are those that the change began
// with. So every change is made to the rules as they are at the moment of sending, by name, because their ids are
// new after each change; a rule that somebody else has changed meanwhile is not overwritten unseen.

/** Message on the name of a rule that is taken. */
export const NAME_TAKEN = 'Name taken. To update an existing rule, edit it directly.'

/** A rule that the person has seen is not what it was: `current` is what it is now, nothing when it is gone. */
export class RuleChangedError extends ApiError {
  readonly current: VpcFirewallRule | undefined

  constructor(message: string, current: VpcFirewallRule | undefined) {
    super({ message })
    this.name = 'RuleChangedError'
    this.current = current
  }
}

/** Adds a rule behind all that there are. */
export const createRule = (of: VpcParams, rule: VpcFirewallRuleUpdate) =>
  changeRules(of, (current) => [...withoutTaken(current, rule.name), rule])

/**
 * Puts a rule in the place of one that the person has seen.
 *
 * @throws {@link RuleChangedError} when that one has changed or is gone; nothing is sent then.
 */
export const replaceRule = (of: VpcParams, seen: VpcFirewallRule, rule: VpcFirewallRuleUpdate) =>
  changeRules(of, (current) => {
    refuseChanged(current, seen, 'Submit again to overwrite it with the values in this form.')
    return [...withoutTaken(without(current, seen.name), rule.name), rule]
  })

/**
 * Takes a rule away. One that is gone already is no failure.
 *
 * @throws {@link RuleChangedError} when it is not what the person has seen; nothing is sent then.
 */
export const deleteRule = (of: VpcParams, seen: VpcFirewallRule) =>
  changeRules(of, (current) => {
    const rest = without(current, seen.name)
    if (rest.length === current.length) return undefined
    refuseChanged(current, seen, 'Review it before you delete it.')
    return rest
  })

/** Puts the VPC's own name in the place of every other that its rules mention. */
export const renameVpcInRules = (of: VpcParams) =>
  changeRules(of, (current) => current.map((rule) => withOwnVpc(ruleUpdate(rule), of.vpc)))

/** Sends all rules as `change` wants them; nothing when it gives none. */
async function changeRules(
  { project, vpc }: VpcParams,
  change: (current: readonly VpcFirewallRule[]) => VpcFirewallRuleUpdate[] | undefined,
): Promise<VpcFirewallRules> {
  const query = { project, vpc }
  const current = await call(vpcFirewallRulesView, { query })
  const rules = change(current.rules)
  if (!rules) return current
  return call(vpcFirewallRulesUpdate, { query, body: { rules: rules.map(ruleUpdate) } })
}

const without = (rules: readonly VpcFirewallRule[], name: string): VpcFirewallRule[] =>
  rules.filter((rule) => rule.name !== name)

/** A name can have been taken since the form was opened. */
function withoutTaken<R extends { name: string }>(rules: readonly R[], name: string) {
  if (rules.some((rule) => rule.name === name)) throw new ApiError({ message: NAME_TAKEN })
  return rules
}

function refuseChanged(rules: readonly VpcFirewallRule[], seen: VpcFirewallRule, advice: string) {
  const current = rules.find(({ name }) => name === seen.name)
  if (!current) {
    const message = `The rule ${seen.name} has been deleted. Submit again to recreate it.`
    throw new RuleChangedError(message, undefined)
  }
  const parts = changedParts(seen, current)
  if (parts.length === 0) return
  const message = `The rule ${seen.name} has changed since you opened it: ${commaList(parts, 'and')}. ${advice}`
  throw new RuleChangedError(message, current)
}

/** What the screens call the parts of a rule in which two differ. */
function changedParts(one: VpcFirewallRule, other: VpcFirewallRule): string[] {
  const [before, now] = [parts(one), parts(other)]
  return Object.keys(before).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(now[part]),
  )
}

/** An empty list and none at all mean the same, so they count as the same. */
function parts(rule: VpcFirewallRule): Record<string, unknown> {
  const { hosts, ports, protocols } = rule.filters
  return {
    description: rule.description,
    status: rule.status,
    action: rule.action,
    direction: rule.direction,
    priority: rule.priority,
    targets: rule.targets,
    'host filters': hosts ?? [],
    'port filters': ports ?? [],
    'protocol filters': protocols ?? [],
  }
}
