import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics/',
)({
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/projects/$project/instances/$instance/metrics/cpu',
      params,
      replace: true,
    })
  },
})
