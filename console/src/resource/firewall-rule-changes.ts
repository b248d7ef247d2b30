import { call } from '~/api/call'
import { ApiError } from '~/api/errors'
import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '~/api/generated/operations'
import type {
  VpcFirewallRule,
  VpcFirewallRules,
  VpcFirewallRuleUpdate,
} from '~/api/generated/types.gen'
import type { Call } from '~/as-code/call'
import { commaList } from '~/lib/text'
import * as text from '~/messages/firewall-rule'

import { ruleUpdate, withOwnVpc } from './firewall-rule'
import type { VpcParams } from './vpc-path'

// The server replaces all rules of a VPC at once and does not detect concurrent changes. So every change is applied
// to the rules as they are when it is sent. Rules are matched by name, because their ids change with each update. A
// rule that somebody else has changed in the meantime is not overwritten without asking.

/** Error of the name field when another rule has the name. */
export const NAME_TAKEN = text.nameTakenError

/** A rule has changed since the person opened it. `current` is the rule as it is now; `undefined` if it was deleted. */
export class RuleChangedError extends ApiError {
  readonly current: VpcFirewallRule | undefined

  constructor(message: string, current: VpcFirewallRule | undefined) {
    super({ message })
    this.name = 'RuleChangedError'
    this.current = current
  }
}

/** Adds a rule at the end of the list. */
export const createRule = (of: VpcParams, rule: VpcFirewallRuleUpdate) =>
  changeRules(of, (current) => [...withoutTaken(current, rule.name), rule])

/**
 * Replaces a rule that the person has opened.
 *
 * @throws {@link RuleChangedError} if that rule has changed or was deleted. Nothing is sent then.
 */
export const replaceRule = (of: VpcParams, seen: VpcFirewallRule, rule: VpcFirewallRuleUpdate) =>
  changeRules(of, (current) => {
    refuseChanged(current, seen, text.changedBeforeUpdateError)
    return [...withoutTaken(without(current, seen.name), rule.name), rule]
  })

/**
 * Deletes a rule. Succeeds if it no longer exists.
 *
 * @throws {@link RuleChangedError} if the rule has changed since the person opened it. Nothing is sent then.
 */
export const deleteRule = (of: VpcParams, seen: VpcFirewallRule) =>
  changeRules(of, (current) => {
    const rest = without(current, seen.name)
    if (rest.length === current.length) return undefined
    refuseChanged(current, seen, text.changedBeforeDeleteError)
    return rest
  })

/** The call that deletes a rule of those that there are now, as code has it. */
export async function deletionCalls({ project, vpc }: VpcParams, name: string): Promise<Call[]> {
  const query = { project, vpc }
  const { rules } = await call(vpcFirewallRulesView, { query })
  const body = { rules: without(rules, name).map(ruleUpdate) }
  return [{ operation: vpcFirewallRulesUpdate, input: { query, body } }]
}

/** Replaces every other VPC name in the rules by the name of their own VPC. */
export const renameVpcInRules = (of: VpcParams) =>
  changeRules(of, (current) => current.map((rule) => withOwnVpc(ruleUpdate(rule), of.vpc)))

/** Sends the rules that `change` returns. Sends nothing if it returns `undefined`. */
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

/** The name may have been taken since the form was opened. */
function withoutTaken<R extends { name: string }>(rules: readonly R[], name: string) {
  if (rules.some((rule) => rule.name === name)) throw new ApiError({ message: NAME_TAKEN })
  return rules
}

function refuseChanged(
  rules: readonly VpcFirewallRule[],
  seen: VpcFirewallRule,
  error: (name: string, parts: string) => string,
) {
  const current = rules.find(({ name }) => name === seen.name)
  if (!current) {
    throw new RuleChangedError(text.deletedMeanwhileError(seen.name), undefined)
  }
  const parts = changedParts(seen, current)
  if (parts.length === 0) return
  throw new RuleChangedError(error(seen.name, commaList(parts, 'and')), current)
}

/** Names of the parts in which two rules differ, as shown to the person. */
function changedParts(one: VpcFirewallRule, other: VpcFirewallRule): string[] {
  const [before, now] = [parts(one), parts(other)]
  return Object.keys(before).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(now[part]),
  )
}

/** An absent list is treated as an empty one. */
function parts(rule: VpcFirewallRule): Record<string, unknown> {
  const { hosts, ports, protocols } = rule.filters
  return {
    [text.descriptionPartText]: rule.description,
    [text.statusPartText]: rule.status,
    [text.actionPartText]: rule.action,
    [text.directionPartText]: rule.direction,
    [text.priorityPartText]: rule.priority,
    [text.targetsPartText]: rule.targets,
    [text.hostFiltersPartText]: hosts ?? [],
    [text.portFiltersPartText]: ports ?? [],
    [text.protocolFiltersPartText]: protocols ?? [],
  }
}
