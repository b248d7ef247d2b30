import type {
  VpcFirewallRule,
  VpcFirewallRuleHostFilter,
  VpcFirewallRuleProtocol,
  VpcFirewallRuleTarget,
  VpcFirewallRuleUpdate,
} from '~/api/generated/types.gen'
import { icmpTypeLabel } from '~/lib/icmp'
import * as text from '~/messages/firewall-rule'

/** One end of the traffic that a rule matches: the target or the remote host. */
export type FirewallEndpoint = VpcFirewallRuleTarget | VpcFirewallRuleHostFilter

/** Maximum number of entries in each list of a rule, set by the server. */
export const MAX_RULE_PARTS = 256

/** Maximum number of rules in a VPC, set by the server. */
export const MAX_RULES = 1024

/** Rules in the order in which they apply: by ascending priority. Rules of equal priority keep the order of the server. */
export const byPriority = (rules: readonly VpcFirewallRule[]): VpcFirewallRule[] =>
  rules.toSorted((one, other) => one.priority - other.priority)

/** A rule in the form that the server accepts: without ids and times. */
export function ruleUpdate(rule: VpcFirewallRule | VpcFirewallRuleUpdate): VpcFirewallRuleUpdate {
  const { name, status, action, description, direction, filters, priority, targets } = rule
  return { name, status, action, description, direction, filters, priority, targets }
}

/** A protocol in one line of text, for example "ICMP 3 - Destination Unreachable | Code 0". */
export function protocolText(protocol: VpcFirewallRuleProtocol): string {
  if (protocol.type !== 'icmp') return protocol.type.toUpperCase()
  if (!protocol.value) return text.allIcmpLabel
  const { icmpType, code } = protocol.value
  const type = icmpTypeLabel(icmpType)
  return code ? text.icmpMessagesWithCodeLabel(type, code) : text.icmpMessagesLabel(type)
}

/** Whether two protocol entries match the same traffic. */
export const isSameProtocol = (
  one: VpcFirewallRuleProtocol,
  other: VpcFirewallRuleProtocol,
): boolean => protocolText(one) === protocolText(other)

/** Whether two entries of a list of targets or hosts are the same. */
export const isSameEndpoint = (one: FirewallEndpoint, other: FirewallEndpoint): boolean =>
  one.type === other.type && one.value === other.value

/** A target or a remote host in one line of text, for example "vpc default". */
export const endpointText = ({ type, value }: FirewallEndpoint): string => `${type} ${value}`

/** The filters of a rule as texts: hosts, then protocols, then ports. */
export const filterTexts = ({ hosts, protocols, ports }: VpcFirewallRule['filters']): string[] => [
  ...(hosts ?? []).map(endpointText),
  ...(protocols ?? []).map(protocolText),
  ...(ports ?? []).map((port) => text.portLabel(port)),
]

/**
 * Names of other VPCs that the rules mention. The server rejects rules with such a name, and renaming a VPC leaves
 * its old name in its rules.
 */
export function foreignVpcs(rules: readonly VpcFirewallRuleUpdate[], vpc: string): string[] {
  const names = rules.flatMap(({ targets, filters }) =>
    [...targets, ...(filters.hosts ?? [])]
      .filter(({ type, value }) => type === 'vpc' && value !== vpc)
      .map(({ value }) => value),
  )
  return [...new Set(names)]
}

/** The rule with every VPC that it mentions replaced by its own. */
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
