/** Paths of the screens of a VPC. */
export const vpcPath = (project: string, vpc: string): string => `/projects/${project}/vpcs/${vpc}`

/** The names in the paths of a VPC's screens. */
export interface VpcParams {
  project: string
  vpc: string
}

/** The parameters of operations on what a VPC contains. */
export const inVpc = ({ project, vpc }: VpcParams) => ({ query: { project, vpc } })

const base = ({ project, vpc }: VpcParams) => vpcPath(project, vpc)

/** Path of the form that edits a VPC. */
export const vpcEditPath = (params: VpcParams) => `${base(params)}/edit`

/** Path of the tab with the subnets of a VPC. */
export const subnetsPath = (params: VpcParams) => `${base(params)}/subnets`

/** Path of the form that creates a subnet. */
export const newSubnetPath = (params: VpcParams) => `${base(params)}/subnets-new`

/** Path of the form that edits a subnet. */
export const subnetEditPath = (params: VpcParams, subnet: string) =>
  `${subnetsPath(params)}/${subnet}/edit`

/** Path of the tab with the routers of a VPC. */
export const routersPath = (params: VpcParams) => `${base(params)}/routers`

/** Path of the form that creates a router. */
export const newRouterPath = (params: VpcParams) => `${base(params)}/routers-new`

/** Path of a router and its routes. */
export const routerPath = (params: VpcParams, router: string) => `${routersPath(params)}/${router}`

/** Path of the form that creates a route. */
export const newRoutePath = (params: VpcParams, router: string) =>
  `${routerPath(params, router)}/routes-new`

/** Path of the form that edits a route. */
export const routeEditPath = (params: VpcParams, router: string, route: string) =>
  `${routerPath(params, router)}/routes/${route}/edit`

/** Path of the tab with the internet gateways of a VPC. */
export const gatewaysPath = (params: VpcParams) => `${base(params)}/internet-gateways`

/** Path of an internet gateway. */
export const gatewayPath = (params: VpcParams, gateway: string) =>
  `${gatewaysPath(params)}/${gateway}`

/** Path of the tab with the topology of a VPC. */
export const topologyPath = (params: VpcParams) => `${base(params)}/topology`

/** Path of the tab with what was done to a VPC. */
export const activityPath = (params: VpcParams) => `${base(params)}/activity`

/** Path of the tab that checks reachability. */
export const reachabilityPath = (params: VpcParams) => `${base(params)}/reachability`

/** Path of the tab with the firewall rules of a VPC, which opens by default. */
export const firewallRulesPath = (params: VpcParams) => `${base(params)}/firewall-rules`

/** Path of the form that creates a firewall rule, as a copy of another rule if one is named. */
export const newFirewallRulePath = (params: VpcParams, copied?: string) =>
  `${firewallRulesPath(params)}-new${copied ? `/${copied}` : ''}`

/** Path of the form that edits a firewall rule. */
export const firewallRuleEditPath = (params: VpcParams, rule: string) =>
  `${firewallRulesPath(params)}/${rule}/edit`
