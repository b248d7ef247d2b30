import { createFileRoute } from '@tanstack/react-router'

import * as crumbs from '~/messages/project-crumb-screens'
import { firewallRulesPath } from '~/resource/vpc-path'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc')({
  staticData: {
    crumb: [
      { label: crumbs.vpcsLabel, to: ({ project }) => `/projects/${project}/vpcs` },
      {
        label: ({ vpc = '' }) => vpc,
        to: ({ project = '', vpc = '' }) => firewallRulesPath({ project, vpc }),
      },
    ],
  },
})
