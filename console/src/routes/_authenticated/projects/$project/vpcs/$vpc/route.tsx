import { createFileRoute } from '@tanstack/react-router'

import { vpcPath } from '~/resource/vpc-path'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc')({
  staticData: {
    crumb: [
      { label: 'VPCs', to: ({ project }) => `/projects/${project}/vpcs` },
      {
        label: ({ vpc = '' }) => vpc,
        to: ({ project = '', vpc = '' }) => vpcPath(project, vpc),
      },
    ],
  },
})
