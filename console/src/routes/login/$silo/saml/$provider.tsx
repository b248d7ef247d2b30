import { createFileRoute } from '@tanstack/react-router'

import { ProviderLogin } from '~/login/provider-login'

export const Route = createFileRoute('/login/$silo/saml/$provider')({
  component: ProviderLoginRoute,
})

function ProviderLoginRoute() {
  const { silo, provider } = Route.useParams()
  return <ProviderLogin silo={silo} provider={provider} />
}
