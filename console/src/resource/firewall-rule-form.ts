import type {
  VpcFirewallRule,
  VpcFirewallRuleAction,
  VpcFirewallRuleDirection,
  VpcFirewallRuleHostFilter,
  VpcFirewallRuleProtocol,
  VpcFirewallRuleTarget,
  VpcFirewallRuleUpdate,
} from '~/api/generated/types.gen'
import { parseIcmpType } from '~/lib/icmp'

/** Largest priority, which applies last. */
export const MAX_PRIORITY = 65_535

/** What the form for a firewall rule asks for. */
export interface FirewallRuleValues {
  enabled: boolean
  name: string
  description: string
  action: VpcFirewallRuleAction
  direction: VpcFirewallRuleDirection
  /** 0 to {@link MAX_PRIORITY}; nothing while the field is empty. */
  priority: number | null
  targets: VpcFirewallRuleTarget[]
  hosts: VpcFirewallRuleHostFilter[]
  ports: string[]
  protocols: VpcFirewallRuleProtocol[]
}

/** What the form for a new rule begins with. */
export const NEW_RULE: FirewallRuleValues = {
  enabled: true,
  name: '',
  description: '',
  action: 'allow',
  direction: 'inbound',
  priority: 0,
  targets: [],
  hosts: [],
  ports: [],
  protocols: [],
}

/** What the form for an existing rule begins with. */
export function ruleValues(rule: VpcFirewallRule): FirewallRuleValues {
  const { name, description, action, direction, priority, targets, filters } = rule
  return {
    enabled: rule.status === 'enabled',
    name,
    description,
    action,
    direction,
    priority,
    targets,
    hosts: filters.hosts ?? [],
    ports: filters.ports ?? [],
    protocols: filters.protocols ?? [],
  }
}

/** What the form for a copy of a rule begins with; a blank one when there is no such rule. */
export function cloneValues(rule: VpcFirewallRule | undefined): FirewallRuleValues {
  return rule ? { ...ruleValues(rule), name: `${rule.name}-copy` } : NEW_RULE
}

/** The rule as the server takes it. The lists of its filters are always sent, even when they are empty. */
export function ruleBody(values: FirewallRuleValues): VpcFirewallRuleUpdate {
  const { enabled, name, description, action, direction, targets, hosts, ports, protocols } = values
  return {
    name,
    description,
    action,
    direction,
    // An empty priority never gets here: the field requires one.
    priority: values.priority ?? 0,
    status: enabled ? 'enabled' : 'disabled',
    targets,
    filters: { hosts, ports, protocols },
  }
}

/** What the fields for one protocol ask for. */
export interface ProtocolEntry {
  /** Empty when none is chosen. */
  protocol: VpcFirewallRuleProtocol['type'] | ''
  /** Blank for all types. */
  icmpType: string
  /** One code or a range; blank for all codes of the type. */
  icmpCode: string
}

/** What the fields for one protocol begin with. */
export const NO_PROTOCOL: ProtocolEntry = { protocol: '', icmpType: '', icmpCode: '' }

/** The protocol of valid fields; nothing when none is chosen. A code counts only together with a type. */
export function protocolOf(entry: ProtocolEntry): VpcFirewallRuleProtocol | undefined {
  const { protocol, icmpType, icmpCode } = entry
  if (protocol === '') return undefined
  if (protocol !== 'icmp') return { type: protocol }
  const type = parseIcmpType(icmpType)
  if (type === undefined) return { type: protocol, value: null }
  return { type: protocol, value: { icmpType: type, code: icmpCode.trim() || undefined } }
}
