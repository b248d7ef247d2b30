// Texts of the screens of VPCs.

export const createdToast = (name: string) => (
  <>
    VPC <b>{name}</b> created
  </>
)
export const createTitle = 'Create VPC'
export const dnsNameLabel = 'DNS name'
export const newPrefixLabel = 'IPV6 prefix'
export const newPrefixHelp =
  'A unique local /48 network, such as fd12:3456:789a::/48. Leave blank to generate one.'
export const listTitle = 'VPCs'
export const tableLabel = 'VPCs'
export const newButtonLabel = 'New Vpc'
export const newActionLabel = 'New VPC'
export const emptyTitle = 'No VPCs'
export const emptyHelp = 'Create a VPC to see it here'
export const goToLabel = 'Go to VPC'
export const firewallRulesColumnLabel = 'Firewall Rules'
export const updatedToast = (name: string) => (
  <>
    VPC <b>{name}</b> updated
  </>
)
export const editTitle = 'Edit VPC'
export const updateButtonLabel = 'Update VPC'
export const actionsGroupLabel = (name: string) => `VPC '${name}'`
export const actionsLabel = 'VPC actions'
export const tabsLabel = 'VPC'
export const firewallRulesTabLabel = 'Firewall Rules'
export const subnetsTabLabel = 'Subnets'
export const routersTabLabel = 'Routers'
export const gatewaysTabLabel = 'Internet Gateways'
export const topologyTabLabel = 'Topology'
export const reachabilityTabLabel = 'Reachability'
export const dnsNamePropertyLabel = 'DNS Name'
export const ipv6PrefixLabel = 'IPv6 prefix'
