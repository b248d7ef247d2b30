import { createFileRoute } from '@tanstack/react-router'

import { accountView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'
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
  staticData: { crumb: { label: 'Silo Access' } },
  component: SiloAccess,
})

function SiloAccess() {
  // Whoever has a password here is in a silo whose people do. Elsewhere the identity provider asks for what it likes.
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
