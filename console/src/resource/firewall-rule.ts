import type {
  VpcFirewallRule,
  VpcFirewallRuleHostFilter,
  VpcFirewallRuleProtocol,
  VpcFirewallRuleTarget,
  VpcFirewallRuleUpdate,
} from '~/api/generated/types.gen'
import { icmpTypeLabel } from '~/lib/icmp'
import { capitalise, includesFolded } from '~/lib/text'

/** One end of the traffic that a rule is about: its target, or the other end. */
export type FirewallEndpoint = VpcFirewallRuleTarget | VpcFirewallRuleHostFilter

/** The server's limit of entries in each list of a rule. */
export const MAX_RULE_PARTS = 256

/** The server's limit of rules in a VPC. */
export const MAX_RULES = 1024

/** Rules in the order in which they apply: ascending by priority, equal ones as the server has them. */
export const byPriority = (rules: readonly VpcFirewallRule[]): VpcFirewallRule[] =>
  rules.toSorted((one, other) => one.priority - other.priority)

/** What the server takes of a rule that it has given: everything but its ids and times. */
export function ruleUpdate(rule: VpcFirewallRule | VpcFirewallRuleUpdate): VpcFirewallRuleUpdate {
  const { name, status, action, description, direction, filters, priority, targets } = rule
  return { name, status, action, description, direction, filters, priority, targets }
}

/** A protocol in one line of text, for example "ICMP 3 - Destination Unreachable | Code 0". */
export function protocolText(protocol: VpcFirewallRuleProtocol): string {
  if (protocol.type !== 'icmp') return protocol.type.toUpperCase()
  if (!protocol.value) return 'ICMP (All types)'
  const { icmpType, code } = protocol.value
  return `ICMP ${icmpTypeLabel(icmpType)}${code ? ` | Code ${code}` : ''}`
}

/** Whether two entries of a list of protocols stand for the same traffic. */
export const isSameProtocol = (
  one: VpcFirewallRuleProtocol,
  other: VpcFirewallRuleProtocol,
): boolean => protocolText(one) === protocolText(other)

/** Whether two entries of a list of targets or hosts are the same. */
export const isSameEndpoint = (one: FirewallEndpoint, other: FirewallEndpoint): boolean =>
  one.type === other.type && one.value === other.value

/** Whether every word of the query stands somewhere in what the table shows of a rule. An empty query matches all. */
export function matchesRule(rule: VpcFirewallRule, query: string): boolean {
  const { hosts, ports, protocols } = rule.filters
  const text = [
    rule.name,
    rule.description,
    String(rule.priority),
    capitalise(rule.action),
    capitalise(rule.direction),
    capitalise(rule.status),
    ...[...rule.targets, ...(hosts ?? [])].map(({ type, value }) => `${type} ${value}`),
    ...(protocols ?? []).map(protocolText),
    ...(ports ?? []).map((port) => `Port ${port}`),
  ].join('\n')
  return query.split(/\s+/).every((word) => includesFolded(text, word))
}

/**
 * Names of VPCs that rules mention and that are not the rules' own. The server takes no list of rules with such a
 * name, and renaming a VPC leaves its old name in its rules.
 */
export function foreignVpcs(rules: readonly VpcFirewallRuleUpdate[], vpc: string): string[] {
  const names = rules.flatMap(({ targets, filters }) =>
    [...targets, ...(filters.hosts ?? [])]
      .filter(({ type, value }) => type === 'vpc' && value !== vpc)
      .map(({ value }) => value),
  )
  return [...new Set(names)]
}

/** The rule with its own VPC in place of every other that it mentions. */
export function withOwnVpc(rule: VpcFirewallRuleUpdate, vpc: string): VpcFirewallRuleUpdate {
  const { targets, filters } = rule
  return {
    ...rule,
    targets: replaced(targets, vpc),
    filters: { ...filters, hosts: filters.hosts && replaced(filters.hosts, vpc) },
  }
}

function replaced<E extends FirewallEndpoint>(endpoints: readonly E[], vpc: string): E[] {
  const own = endpoints.map((endpoint) =>
    endpoint.type === 'vpc' ? { ...endpoint, value: vpc } : endpoint,
  )
  return own.filter(
    (endpoint, index) => own.findIndex((each) => isSameEndpoint(each, endpoint)) === index,
  )
}
