import type { Crumb } from '~/app/crumbs'
import * as crumbs from '~/messages/project-crumb-screens'
import { firewallRulesPath } from '~/resource/vpc-path'

/** The crumb of the tab. The form for the VPC itself, which opens over the tab as well, stands beside it. */
export const firewallRulesCrumb: Crumb = {
  label: crumbs.firewallRulesLabel,
  to: ({ project = '', vpc = '' }) => firewallRulesPath({ project, vpc }),
}
