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

/** Largest priority value. Such a rule applies last. */
export const MAX_PRIORITY = 65_535

/** The values of the form for a firewall rule. */
export interface FirewallRuleValues {
  enabled: boolean
  name: string
  description: string
  action: VpcFirewallRuleAction
  direction: VpcFirewallRuleDirection
  /** 0 to {@link MAX_PRIORITY}; `null` while the field is empty. */
  priority: number | null
  targets: VpcFirewallRuleTarget[]
  hosts: VpcFirewallRuleHostFilter[]
  ports: string[]
  protocols: VpcFirewallRuleProtocol[]
}

/** The initial values of the form for a new rule. */
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

/** The initial values of the form for an existing rule. */
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

/** The initial values of the form for a copy of a rule. They are blank if there is no such rule. */
export function cloneValues(rule: VpcFirewallRule | undefined): FirewallRuleValues {
  return rule ? { ...ruleValues(rule), name: `${rule.name}-copy` } : NEW_RULE
}

/** The rule in the form that the server accepts. The lists of filters are always sent, even if they are empty. */
export function ruleBody(values: FirewallRuleValues): VpcFirewallRuleUpdate {
  const { enabled, name, description, action, direction, targets, hosts, ports, protocols } = values
  return {
    name,
    description,
    action,
    direction,
    // The priority is never empty here, because the field is required.
    priority: values.priority ?? 0,
    status: enabled ? 'enabled' : 'disabled',
    targets,
    filters: { hosts, ports, protocols },
  }
}

/** The values of the fields for one protocol. */
export interface ProtocolEntry {
  /** Empty if none is selected. */
  protocol: VpcFirewallRuleProtocol['type'] | ''
  /** Blank for all types. */
  icmpType: string
  /** One code or a range; blank for all codes of the type. */
  icmpCode: string
}

/** The initial values of the fields for one protocol. */
export const NO_PROTOCOL: ProtocolEntry = { protocol: '', icmpType: '', icmpCode: '' }

/** The protocol that the fields describe; `undefined` if none is selected. A code is used only together with a type. */
export function protocolOf(entry: ProtocolEntry): VpcFirewallRuleProtocol | undefined {
  const { protocol, icmpType, icmpCode } = entry
  if (protocol === '') return undefined
  if (protocol !== 'icmp') return { type: protocol }
  const type = parseIcmpType(icmpType)
  if (type === undefined) return { type: protocol, value: null }
  return { type: protocol, value: { icmpType: type, code: icmpCode.trim() || undefined } }
}
