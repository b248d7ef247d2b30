// Texts of the check whether a packet would be delivered.

export const allowedTitle = 'Allowed'
export const deniedTitle = 'Denied'
export const unreachableTitle = 'Unreachable'
export const sourceCheckLabel = 'Source check'
export const outboundFirewallLabel = 'Outbound firewall'
export const routeStepLabel = 'Route'
export const gatewayStepLabel = 'Internet gateway'
export const natStepLabel = 'Address translation'
export const destinationCheckLabel = 'Destination check'
export const inboundFirewallLabel = 'Inbound firewall'
export const deliveryLabel = 'Delivery'
export const passedLabel = 'Passed'
export const deniedLabel = 'Denied'
export const unreachableLabel = 'Unreachable'
export const repliesText = 'Replies to an allowed packet are always allowed.'
export const instanceLabel = 'Instance'
export const addressLabel = 'IP address'
export const tcpLabel = 'TCP'
export const udpLabel = 'UDP'
export const icmpLabel = 'ICMP'
export const otherLabel = 'Other'
export const otherHelp = 'Neither TCP, UDP nor ICMP'
export const fromTitle = 'From'
export const toTitle = 'To'
export const packetTitle = 'Packet'
export const sourceTypeLabel = 'Source type'
export const sourceInstanceLabel = 'Source instance'
export const sentFromLabel = 'Sent from address'
export const sentFromHelp =
  'Leave blank for the address of the interface. An instance that forwards packets sends them from other addresses, too.'
export const sourceAddressLabel = 'Source address'
export const anywhereHelp = 'Inside the VPC or outside.'
export const sourceInterfaceLabel = 'Source interface'
export const primaryInterfaceLabel = 'Primary'
export const destinationTypeLabel = 'Destination type'
export const destinationInstanceLabel = 'Destination instance'
export const destinationAddressLabel = 'Destination address'
export const protocolLabel = 'Protocol'
export const portLabel = 'Destination port'
export const icmpTypeLabel = 'ICMP type'
export const icmpTypeHelp = '8 is the echo request that ping sends.'
export const icmpCodeLabel = 'ICMP code'
export const numberError = (min: number, max: number) => `Must be a number from ${min} to ${max}`
export const echoRequestText = 'ICMP echo request'
export const icmpText = (icmpType: number, code: number) => `ICMP type ${icmpType}, code ${code}`
export const otherProtocolText = 'another protocol'
export const editRuleLabel = 'Edit this rule'
export const addRuleLabel = 'Add a firewall rule'
export const editRouteLabel = 'Edit this route'
export const attachIpLabel = 'Attach an external IP to the instance'
export const openGatewayLabel = 'Open this gateway'
export const editInterfaceLabel = 'Edit the interface'
export const introText =
  'Checks whether a packet would be delivered, and which rule, route or gateway decides that. Nothing is sent: the result is computed from the configuration of the VPC.'
export const checkButtonLabel = 'Check reachability'
export const failedTitle = 'Could not check reachability'
export const toPortText = (protocol: string, port: number) => `${protocol} to port ${port}`
export const ruleLinkLabel = (name: string) => `Rule ${name}`
export const routeLinkLabel = (name: string) => `Route ${name}`
export const routerLinkLabel = (name: string) => `Router ${name}`
export const subnetLinkLabel = (name: string) => `Subnet ${name}`
export const gatewayLinkLabel = (name: string) => `Internet gateway ${name}`
export const instanceLinkLabel = (name: string) => `Instance ${name}`
