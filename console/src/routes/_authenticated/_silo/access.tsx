import { createFileRoute } from '@tanstack/react-router'

import { accountView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/crumb-screens'
import { AccessPage } from '~/resource/access-page'
import { loadAccess, signInSettings } from '~/resource/access-queries'
import type { AccessScope } from '~/resource/access-queries'
import { SecondFactorRule } from '~/resource/second-factor-rule'
import { useSiloAccess } from '~/resource/use-access'

const scope: AccessScope = { kind: 'silo' }
const account = q(accountView, {})

export const Route = createFileRoute('/_authenticated/_silo/access')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      loadAccess(queryClient, scope),
      load(queryClient, account),
      load(queryClient, signInSettings),
    ]),
  staticData: { crumb: { label: crumbs.siloAccessLabel } },
  component: SiloAccess,
})

function SiloAccess() {
  // Second factors apply only where users sign in with a password. Otherwise the identity provider decides.
  const { hasPassword } = useLoaded(account)
  return (
    <>
      <AccessPage scope={scope} data={useSiloAccess()} />
      {hasPassword && (
        <div className="mt-6">
          <SecondFactorRule />
        </div>
      )}
    </>
  )
}
