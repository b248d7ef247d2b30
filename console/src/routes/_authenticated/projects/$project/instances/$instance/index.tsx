import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/projects/$project/instances/$instance/')({
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/projects/$project/instances/$instance/storage',
      params,
      replace: true,
    })
  },
})
