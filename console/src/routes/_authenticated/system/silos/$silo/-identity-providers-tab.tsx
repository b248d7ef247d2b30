import { Fingerprint } from 'lucide-react'
import { useMemo } from 'react'

import { samlIdentityProviderCreate, siloIdentityProviderList } from '~/api/generated/operations'
import type { IdentityProvider, Silo } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

const columns = (silo: string): Column<IdentityProvider>[] => [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name, providerType }) =>
      providerType === 'saml' ? (
        <LinkCell href={`/system/silos/${silo}/idps/saml/${name}`}>{name}</LinkCell>
      ) : (
        name
      ),
  },
  {
    id: 'description',
    header: 'description',
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'type',
    header: 'Type',
    width: 110,
    isKey: true,
    cell: ({ providerType }) => <Badge tone="neutral">{providerType}</Badge>,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** Why a silo of this mode has no identity providers, or `undefined`. */
const localOnlyReason = ({ identityMode }: Silo) =>
  identityMode === 'local_only'
    ? 'This silo is local only: its people sign in with a password. See the tab Users.'
    : undefined

/** Where the silo's people come from. */
export function IdentityProvidersTab({ silo }: { silo: Silo }) {
  const { name } = silo
  const newPath = `/system/silos/${name}/idps-new`
  const reason = localOnlyReason(silo)
  const page = useListPage(siloIdentityProviderList, { query: { silo: name } })
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <NewLink needs={samlIdentityProviderCreate} to={newPath} refusal={reason} size="sm">
          New provider
        </NewLink>
      </div>
      <ListTable
        label="Identity providers"
        page={page}
        columns={useMemo(() => columns(name), [name])}
        empty={<EmptyMessage icon={<Fingerprint />} title="No identity providers" body={reason} />}
      />
    </div>
  )
}
