import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/projects/$project/instances/$instance')({
  staticData: {
    crumb: {
      label: ({ instance = '' }) => instance,
      to: ({ project, instance }) => `/projects/${project}/instances/${instance}/storage`,
    },
  },
})
