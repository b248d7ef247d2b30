// Texts of the screens of firewall rules.

import { commaList } from '~/lib/text'

export const vpcTypeLabel = 'VPC'
export const subnetTypeLabel = 'VPC subnet'
export const instanceTypeLabel = 'Instance'
export const ipTypeLabel = 'IP'
export const ipNetworkTypeLabel = 'IP subnet'
export const vpcNameLabel = 'VPC name'
export const subnetNameLabel = 'Subnet name'
export const instanceNameLabel = 'Instance name'
export const addTargetLabel = 'Add target'
export const targetsLabel = 'Targets'
export const addHostLabel = 'Add host filter'
export const hostsLabel = 'Host filters'
export const valueColumnLabel = 'Value'
export const addressLabel = 'IP address'
export const addressHelp = 'An IPv4 or IPv6 address'
export const networkLabel = 'IP network'
export const networkHelp =
  'An IPv4 or IPv6 network, such as 192.168.0.0/16 or fd00:1122:3344:5566::/64'
export const addRuleLabel = 'Add rule'
export const updateRuleLabel = 'Update rule'
export const addRuleTitle = 'Add firewall rule'
export const editRuleTitle = 'Edit rule'
export const denyLabel = 'Deny'
export const directionLabel = 'Direction of traffic'
export const directionHelp =
  'Inbound traffic goes to the targets. Outbound traffic comes from them.'
export const inboundLabel = 'Inbound'
export const outboundLabel = 'Outbound'
export const noTargetsTitle = 'Save a rule without targets?'
export const saveFailedTitle = 'Could not save the rule'
export const priorityHelp = (highest: number) =>
  `A number from 0 to ${highest}. Rules with lower numbers apply first.`
export const priorityError = 'Priority must be a whole number'
export const targetsTitle = 'Targets'
export const targetsHelp =
  'The instances that the rule applies to. An instance has to match only one target.'
export const filtersTitle = 'Filters'
export const filtersHelp =
  'Filters restrict the rule to certain traffic. If there are several kinds of filters, traffic must match at least one filter of each kind.'
export const hostsTitle = 'Host filters'
export const hostsHelp =
  'The other end of the connection: the source of inbound traffic and the destination of outbound traffic.'
export const summaryTitle = 'What this rule does'
export const addPortLabel = 'Add port filter'
export const portsLabel = 'Port filters'
export const portHelp = 'One destination port, or a range of them such as 1234-1240'
export const portRangesColumnLabel = 'Port ranges'
export const removePortLabel = (port: string) => `remove port ${port}`
export const portZeroError = 'Ports start at 1'
export const portTakenError = 'Port range already added'
export const tooManyPortsError = (most: number) => `A rule can have ${most} port filters`
export const allIcmpTypesLabel = 'All types'
export const tooManyProtocolsError = (most: number) => `A rule can have ${most} protocol filters`
export const addProtocolLabel = 'Add protocol filter'
export const protocolsLabel = 'Protocol filters'
export const icmpTypeLabel = 'ICMP type'
export const icmpTypeHelp = 'Leave blank to match any type'
export const icmpCodeLabel = 'ICMP code'
export const icmpCodeHelp =
  'One code or a range such as 1-3. Leave blank to match all codes of the type.'
export const protocolColumnLabel = 'Protocol'
export const codeColumnLabel = 'Code'
export const removeProtocolLabel = (protocol: string) => `Remove ${protocol}`
export const allProtocolText = (protocol: string) => `All ${protocol} traffic matches`
export const allIcmpText = 'All ICMP traffic matches'
export const allIcmpOfTypeText = (icmpType: number) =>
  `All ICMP traffic of type ${icmpType} matches`
export const priorityLabel = 'Priority'
export const actionLabel = 'Action'
export const directionColumnLabel = 'Direction'
export const filtersLabel = 'Filters'
export const statusLabel = 'Status'
export const emptyTitle = 'No firewall rules'
export const emptyHelp = 'Create a rule to see it here'
export const newRuleLabel = 'New rule'
export const anyProtocolLabel = 'any protocol'
export const tooManyRulesError = (most: number) =>
  `A VPC can have ${most} firewall rules. Delete one first.`
export const tableLabel = 'Firewall rules'
export const otherVpcTitle = 'Some rules refer to another VPC'
export const replaceVpcLabel = (vpc: string) => `Replace with ${vpc}`
export const targetTypeLabel = 'Target type'
export const hostTypeLabel = 'Host type'
export const tooManyTargetsError = (most: number) => `A rule can have ${most} targets`
export const tooManyHostsError = (most: number) => `A rule can have ${most} host filters`
export const otherVpcsText = (vpc: string, others: readonly string[]) =>
  `Rules can refer only to their own VPC, ${vpc}. The server rejects the rule because of ${others.join(', ')}.`
export const renamedVpcText = (names: readonly string[]) =>
  `Rules can refer only to their own VPC. These rules refer to ${commaList(names, 'and')}, usually because the VPC was renamed. They match nothing there, and no rule can be changed until this is fixed.`
export const formText = (
  <>
    Firewall rules decide which traffic reaches the instances of a VPC, and which leaves them. Read
    more in the{' '}
    <a href="/explorer?operation=vpc_create" target="_blank" rel="noreferrer">
      Networking
    </a>{' '}
    guide and the{' '}
    <a href="/explorer?operation=vpc_firewall_rules_update" target="_blank" rel="noreferrer">
      API docs
    </a>
    .
  </>
)
export const noTargetsQuestion =
  'This rule has no targets and will not apply to anything. You can add targets later.'
