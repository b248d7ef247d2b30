import { createFileRoute } from '@tanstack/react-router'

import { firewallRulesPath } from '~/resource/vpc-path'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc')({
  staticData: {
    crumb: [
      { label: 'VPCs', to: ({ project }) => `/projects/${project}/vpcs` },
      {
        label: ({ vpc = '' }) => vpc,
        to: ({ project = '', vpc = '' }) => firewallRulesPath({ project, vpc }),
      },
    ],
  },
})
