import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/system/networking/')({
  beforeLoad: () => {
    throw redirect({ to: '/system/networking/ip-pools', replace: true })
  },
})
