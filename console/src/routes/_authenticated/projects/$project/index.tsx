import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/projects/$project/')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: `/projects/${params.project}/instances`, replace: true })
  },
})
