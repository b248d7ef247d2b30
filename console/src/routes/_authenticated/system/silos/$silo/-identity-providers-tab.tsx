import { useQuery } from '@tanstack/react-query'
import { Fingerprint, Trash2 } from 'lucide-react'
import { useMemo } from 'react'

import {
  samlIdentityProviderCreate,
  samlIdentityProviderDelete,
  samlIdentityProviderSettingsView,
  siloIdentityProviderList,
} from '~/api/generated/operations'
import type { IdentityProvider, Silo } from '~/api/generated/types.gen'
import { useListPage } from '~/api/list'
import { qOptional } from '~/api/query'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import * as common from '~/messages/common'
import * as text from '~/messages/identity-provider-screens'
import { deleteIdentityProvider } from '~/resource/identity-provider-actions'
import { Badge } from '~/ui/badge'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { EnabledBadge } from '~/ui/enabled-badge'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'

const columns = (silo: string): Column<IdentityProvider>[] => [
  {
    id: 'name',
    header: text.nameColumnLabel,
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
    header: text.descriptionColumnLabel,
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'type',
    header: text.typeLabel,
    width: 110,
    cell: ({ providerType }) => <Badge tone="neutral">{providerType}</Badge>,
  },
  {
    id: 'use',
    header: text.statusLabel,
    width: 130,
    isKey: true,
    cell: ({ name }) => <UseCell provider={name} silo={silo} />,
  },
  {
    id: 'created',
    header: text.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** Whether users can sign in through a provider. The list does not include this. */
function UseCell({ provider, silo }: { provider: string; silo: string }) {
  const { data: settings, isError } = useQuery(
    qOptional(samlIdentityProviderSettingsView, { path: { provider }, query: { silo } }),
  )
  if (settings === null || isError) return <EmptyCell />
  if (settings === undefined) return <Skeleton className="h-4 w-20" />
  return <EnabledBadge isEnabled={settings.enabled} />
}

/** Why a silo of this mode has no identity providers, or `undefined`. */
const localOnlyReason = ({ identityMode }: Silo) =>
  identityMode === 'local_only' ? text.localSiloHelp : undefined

/** The identity providers of the silo. */
export function IdentityProvidersTab({ silo }: { silo: Silo }) {
  const { name } = silo
  const newPath = `/system/silos/${name}/idps-new`
  const reason = localOnlyReason(silo)
  const page = useListPage(siloIdentityProviderList, { query: { silo: name } })
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <NewLink needs={samlIdentityProviderCreate} to={newPath} refusal={reason} size="sm">
          {text.newProviderLabel}
        </NewLink>
      </div>
      <ListTable
        label={text.identityProvidersLabel}
        page={page}
        columns={useMemo(() => columns(name), [name])}
        rowActions={(provider) => [
          {
            id: 'delete',
            label: common.deleteLabel,
            destructive: true,
            icon: Trash2,
            needs: samlIdentityProviderDelete,
            onAction: () => deleteIdentityProvider(provider, name),
          },
        ]}
        empty={
          <EmptyMessage
            icon={<Fingerprint />}
            title={text.noIdentityProvidersTitle}
            body={reason}
          />
        }
      />
    </div>
  )
}
