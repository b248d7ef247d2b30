/** Texts about firewall rules. */

export const cloneLabel = 'Clone'
export const otherTargetsTitle = 'Other targets'
export const otherFiltersTitle = 'Other filters'
export const nameTakenError = 'Name taken. To update an existing rule, edit it directly.'
export const noTargetsText = 'This rule has no targets and will not apply to anything.'
export const allIcmpLabel = 'ICMP (All types)'
export const portLabel = (port: string) => `Port ${port}`

export const createdToast = (name: string) => (
  <>
    Firewall rule <b>{name}</b> created
  </>
)
export const updatedToast = (name: string) => (
  <>
    Firewall rule <b>{name}</b> updated
  </>
)
export const icmpTypeLabel = (type: number) => `type ${type}`
export const icmpCodeLabel = (code: string) => `code ${code}`
export const icmpMessagesLabel = (type: string) => `ICMP ${type}`
export const icmpMessagesWithCodeLabel = (type: string, code: string) =>
  `ICMP ${type} | Code ${code}`
export const portTypeLabel = 'Port'

export const deletedMeanwhileError = (name: string) =>
  `The rule ${name} has been deleted. Submit again to recreate it.`
export const changedBeforeUpdateError = (name: string, parts: string) =>
  `The rule ${name} has changed since you opened it: ${parts}. Submit again to overwrite it with the values in this form.`
export const changedBeforeDeleteError = (name: string, parts: string) =>
  `The rule ${name} has changed since you opened it: ${parts}. Review it before you delete it.`
export const descriptionPartText = 'description'
export const statusPartText = 'status'
export const actionPartText = 'action'
export const directionPartText = 'direction'
export const priorityPartText = 'priority'
export const targetsPartText = 'targets'
export const hostFiltersPartText = 'host filters'
export const portFiltersPartText = 'port filters'
export const protocolFiltersPartText = 'protocol filters'

type RuleText = Record<
  'inbound' | 'outbound',
  (traffic: string, from: string, to: string) => string
>

export const allowsText: RuleText = {
  inbound: (traffic, from, to) => `Allows inbound ${traffic} from ${from} to ${to}.`,
  outbound: (traffic, from, to) => `Allows outbound ${traffic} from ${from} to ${to}.`,
}
export const deniesText: RuleText = {
  inbound: (traffic, from, to) => `Denies inbound ${traffic} from ${from} to ${to}.`,
  outbound: (traffic, from, to) => `Denies outbound ${traffic} from ${from} to ${to}.`,
}
export const disabledText = (sentence: string) => `${sentence} It is disabled, so it has no effect.`
export const protocolTrafficText = (protocols: string) => `${protocols} traffic`
export const anyTrafficText = 'traffic of any kind'
export const onAnyPortText = (traffic: string) => `${traffic} on any port`
export const onPortText = (traffic: string, port: string) => `${traffic} on port ${port}`
export const onPortsText = (traffic: string, ports: string) => `${traffic} on ports ${ports}`
export const anywhereText = 'anywhere'
export const fromText = (traffic: string, hosts: string) => `${traffic} from ${hosts}`
export const vpcTargetText = (vpc: string) => `every instance in VPC ${vpc}`
export const subnetTargetText = (subnet: string) => `every instance in subnet ${subnet}`
export const instanceText = (instance: string) => `instance ${instance}`
export const ipTargetText = (ip: string) => `the instance at ${ip}`
export const networkTargetText = (network: string) => `every instance in ${network}`
export const vpcHostText = (vpc: string) => `VPC ${vpc}`
export const subnetHostText = (subnet: string) => `subnet ${subnet}`
export const othersText = (count: number) => `${count} others`
