import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/system/inventory/sleds/$sledId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/system/inventory/sleds/$sledId/instances', params, replace: true })
  },
})
