import { createFileRoute } from '@tanstack/react-router'

import { LocalLogin } from '~/login/local-login'

export const Route = createFileRoute('/login/$silo/local')({ component: LocalLoginRoute })

function LocalLoginRoute() {
  const { silo } = Route.useParams()
  return <LocalLogin silo={silo} />
}
