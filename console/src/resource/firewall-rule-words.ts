import * as text from '~/messages/firewall-rule'

import type { FirewallEndpoint } from './firewall-rule'
import { protocolText } from './firewall-rule'
import type { FirewallRuleValues } from './firewall-rule-form'

/** Shown for a rule without targets. */
export const NO_TARGETS = text.noTargetsText

/** The fields of a rule that the sentence depends on. */
type RuleInForm = Pick<
  FirewallRuleValues,
  'enabled' | 'action' | 'direction' | 'targets' | 'hosts' | 'ports' | 'protocols'
>

/** A sentence that says what a rule does, or why it does nothing. */
export function ruleInWords(rule: RuleInForm): string {
  if (rule.targets.length === 0) return NO_TARGETS
  const targets = either(rule.targets.map(targetText))
  const hosts = rule.hosts.length > 0 ? either(rule.hosts.map(hostText)) : text.anywhereText
  const [from, to] = rule.direction === 'inbound' ? [hosts, targets] : [targets, hosts]
  const sentence = rule.action === 'allow' ? text.allowsText : text.deniesText
  const words = sentence[rule.direction](traffic(rule), from, to)
  return rule.enabled ? words : text.disabledText(words)
}

/** What traffic a rule is for and where it comes from, for example "TCP traffic on port 22 from anywhere". */
export function inboundTraffic({
  protocols,
  ports,
  hosts,
}: Record<'ports' | 'hosts', readonly string[]> & Pick<RuleInForm, 'protocols'>): string {
  const from = hosts.length > 0 ? either(hosts) : text.anywhereText
  return text.fromText(traffic({ protocols, ports: [...ports] }), from)
}

function traffic({ protocols, ports }: Pick<RuleInForm, 'protocols' | 'ports'>): string {
  const kind =
    protocols.length > 0
      ? text.protocolTrafficText(either(protocols.map(protocolText)))
      : text.anyTrafficText
  // ICMP has no ports.
  if (ports.length === 0) {
    return protocols.some(({ type }) => type !== 'icmp') ? text.onAnyPortText(kind) : kind
  }
  const isOne = ports.length === 1 && !ports[0]?.includes('-')
  return isOne ? text.onPortText(kind, either(ports)) : text.onPortsText(kind, either(ports))
}

const targetText = ({ type, value }: FirewallEndpoint): string =>
  ({
    vpc: text.vpcTargetText,
    subnet: text.subnetTargetText,
    instance: text.instanceText,
    ip: text.ipTargetText,
    ip_net: text.networkTargetText,
  })[type](value)

function hostText({ type, value }: FirewallEndpoint): string {
  switch (type) {
    case 'vpc':
      return text.vpcHostText(value)
    case 'subnet':
      return text.subnetHostText(value)
    case 'instance':
      return text.instanceText(value)
    case 'ip':
    case 'ip_net':
      return value
  }
}

/** Longer lists are cut, to keep the sentence readable. The form shows all parts. */
const MAX_NAMED = 5

const list = new Intl.ListFormat('en', { type: 'disjunction' })

function either(parts: readonly string[]): string {
  const rest = parts.length - MAX_NAMED
  return list.format(rest > 1 ? [...parts.slice(0, MAX_NAMED), text.othersText(rest)] : parts)
}
