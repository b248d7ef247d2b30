import type { Crumb } from '~/app/crumbs'
import * as crumbs from '~/messages/project-crumb-screens'
import { firewallRulesPath } from '~/resource/vpc-path'

/** The crumb of the tab. It is not on the tab's route, because the form of the VPC itself also opens over the tab and has another crumb. */
export const firewallRulesCrumb: Crumb = {
  label: crumbs.firewallRulesLabel,
  to: ({ project = '', vpc = '' }) => firewallRulesPath({ project, vpc }),
}
