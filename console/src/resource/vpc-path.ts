/** Where the screens of a VPC are. */
export const vpcPath = (project: string, vpc: string): string => `/projects/${project}/vpcs/${vpc}`

/** The names in the path of a VPC's screens. */
export interface VpcParams {
  project: string
  vpc: string
}

const base = ({ project, vpc }: VpcParams) => vpcPath(project, vpc)

/** Path of the form that changes a VPC. */
export const vpcEditPath = (params: VpcParams) => `${base(params)}/edit`

/** Path of the tab with the subnets of a VPC. */
export const subnetsPath = (params: VpcParams) => `${base(params)}/subnets`

/** Path of the form that makes a subnet. */
export const newSubnetPath = (params: VpcParams) => `${base(params)}/subnets-new`

/** Path of the form that changes a subnet. */
export const subnetEditPath = (params: VpcParams, subnet: string) =>
  `${subnetsPath(params)}/${subnet}/edit`

/** Path of the tab with the routers of a VPC. */
export const routersPath = (params: VpcParams) => `${base(params)}/routers`

/** Path of the form that makes a router. */
export const newRouterPath = (params: VpcParams) => `${base(params)}/routers-new`

/** Path of a router and its routes. */
export const routerPath = (params: VpcParams, router: string) => `${routersPath(params)}/${router}`

/** Path of the form that adds a route. */
export const newRoutePath = (params: VpcParams, router: string) =>
  `${routerPath(params, router)}/routes-new`

/** Path of the form that changes a route. */
export const routeEditPath = (params: VpcParams, router: string, route: string) =>
  `${routerPath(params, router)}/routes/${route}/edit`

/** Path of the tab with the internet gateways of a VPC. */
export const gatewaysPath = (params: VpcParams) => `${base(params)}/internet-gateways`

/** Path of an internet gateway. */
export const gatewayPath = (params: VpcParams, gateway: string) =>
  `${gatewaysPath(params)}/${gateway}`

/** Path of the tab that draws a VPC. */
export const topologyPath = (params: VpcParams) => `${base(params)}/topology`

/** Path of the tab that says whether a packet would arrive. */
export const reachabilityPath = (params: VpcParams) => `${base(params)}/reachability`

/** Path of the tab that a VPC opens with: its firewall rules. */
export const firewallRulesPath = (params: VpcParams) => `${base(params)}/firewall-rules`

/** Path of the form that adds a firewall rule, which begins as a copy of another when that is named. */
export const newFirewallRulePath = (params: VpcParams, copied?: string) =>
  `${firewallRulesPath(params)}-new${copied ? `/${copied}` : ''}`

/** Path of the form that changes a firewall rule. */
export const firewallRuleEditPath = (params: VpcParams, rule: string) =>
  `${firewallRulesPath(params)}/${rule}/edit`
