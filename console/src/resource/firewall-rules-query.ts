import { vpcFirewallRulesView } from '~/api/generated/operations'
import { q } from '~/api/query'

/** The names of a project and of a VPC in it. */
export interface VpcOfProject {
  project: string
  vpc: string
}

/** All rules of a VPC. */
export const firewallRules = ({ project, vpc }: VpcOfProject) =>
  q(vpcFirewallRulesView, { query: { project, vpc } })
