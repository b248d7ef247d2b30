import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/device/')({
  beforeLoad: () => {
    throw redirect({ to: '/device/verify', replace: true })
  },
})
