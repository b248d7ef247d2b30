import { vpcFirewallRulesView } from '~/api/generated/operations'
import { q } from '~/api/query'

import type { VpcParams } from './vpc-path'

/** All rules of a VPC. */
export const firewallRules = ({ project, vpc }: VpcParams) =>
  q(vpcFirewallRulesView, { query: { project, vpc } })
