import { createFileRoute } from '@tanstack/react-router'

import { AccessPage } from '~/resource/access-page'
import { loadAccess } from '~/resource/access-queries'
import type { AccessScope } from '~/resource/access-queries'
import { useSiloAccess } from '~/resource/use-access'

const scope: AccessScope = { kind: 'silo' }

export const Route = createFileRoute('/_authenticated/_silo/access')({
  loader: ({ context }) => loadAccess(context.queryClient, scope),
  staticData: { crumb: { label: 'Silo Access' } },
  component: SiloAccess,
})

function SiloAccess() {
  return <AccessPage scope={scope} data={useSiloAccess()} />
}
