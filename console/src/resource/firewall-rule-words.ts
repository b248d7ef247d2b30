import type { FirewallEndpoint } from './firewall-rule'
import { protocolText } from './firewall-rule'
import type { FirewallRuleValues } from './firewall-rule-form'

/** What is said of a rule without targets. */
export const NO_TARGETS = 'This rule has no targets and will not apply to anything.'

/** What the words need to know of a rule. */
type RuleInForm = Pick<
  FirewallRuleValues,
  'enabled' | 'action' | 'direction' | 'targets' | 'hosts' | 'ports' | 'protocols'
>

/** What a rule does, in a sentence; for one that does nothing, why. */
export function ruleInWords(rule: RuleInForm): string {
  if (rule.targets.length === 0) return NO_TARGETS
  const targets = either(rule.targets.map(targetText))
  const hosts = rule.hosts.length > 0 ? either(rule.hosts.map(hostText)) : 'anywhere'
  const [from, to] = rule.direction === 'inbound' ? [hosts, targets] : [targets, hosts]
  const verb = rule.action === 'allow' ? 'Allows' : 'Denies'
  const sentence = `${verb} ${rule.direction} ${traffic(rule)} from ${from} to ${to}.`
  return rule.enabled ? sentence : `${sentence} It is disabled, so it has no effect.`
}

function traffic({ protocols, ports }: RuleInForm): string {
  const kind =
    protocols.length > 0 ? `${either(protocols.map(protocolText))} traffic` : 'traffic of any kind'
  // ICMP has no ports.
  if (ports.length === 0) {
    return protocols.some(({ type }) => type !== 'icmp') ? `${kind} on any port` : kind
  }
  const isOne = ports.length === 1 && !ports[0]?.includes('-')
  return `${kind} on ${isOne ? 'port' : 'ports'} ${either(ports)}`
}

const targetText = ({ type, value }: FirewallEndpoint): string =>
  ({
    vpc: `every instance in VPC ${value}`,
    subnet: `every instance in subnet ${value}`,
    instance: `instance ${value}`,
    ip: `the instance at ${value}`,
    ip_net: `every instance in ${value}`,
  })[type]

const hostText = ({ type, value }: FirewallEndpoint): string =>
  ({
    vpc: `VPC ${value}`,
    subnet: `subnet ${value}`,
    instance: `instance ${value}`,
    ip: value,
    ip_net: value,
  })[type]

/** As many parts as can be read; the form lists them all. */
const MAX_NAMED = 5

const list = new Intl.ListFormat('en', { type: 'disjunction' })

function either(parts: readonly string[]): string {
  const rest = parts.length - MAX_NAMED
  return list.format(rest > 1 ? [...parts.slice(0, MAX_NAMED), `${rest} others`] : parts)
}
