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
import { qOptional } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListTab, useList } from '~/app/list-screen'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as common from '~/messages/common'
import * as text from '~/messages/identity-provider-screens'
import { deleteIdentityProvider } from '~/resource/identity-provider-actions'
import { createdColumn, descriptionColumn } from '~/resource/list-columns'
import { Badge } from '~/ui/badge'
import { EmptyCell } from '~/ui/empty-cell'
import { EnabledBadge } from '~/ui/enabled-badge'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'

const columns = (silo: string): Column<IdentityProvider>[] => [
  {
    id: 'name',
    header: common.nameColumnLabel,
    isName: true,
    value: ({ name }) => name,
    cell: ({ name, providerType }) =>
      providerType === 'saml' ? (
        <LinkCell href={`/system/silos/${silo}/idps/saml/${name}`}>{name}</LinkCell>
      ) : (
        name
      ),
  },
  descriptionColumn(),
  {
    id: 'type',
    filter: {},
    header: text.typeLabel,
    width: 110,
    value: ({ providerType }) => providerType,
    cell: ({ providerType }) => <Badge tone="neutral">{providerType}</Badge>,
  },
  {
    id: 'use',
    header: text.statusLabel,
    width: 130,
    isKey: true,
    cell: ({ name }) => <UseCell provider={name} silo={silo} />,
  },
  createdColumn(),
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

const list = defineList({
  operation: siloIdentityProviderList,
  params: ({ name }: Silo) => ({ query: { silo: name } }),
  label: text.identityProvidersLabel,
  icon: Fingerprint,
  create: {
    operation: samlIdentityProviderCreate,
    path: ({ name }) => `/system/silos/${name}/idps-new`,
    label: text.newProviderLabel,
    refusal: localOnlyReason,
  },
  empty: { title: text.noIdentityProvidersTitle, body: localOnlyReason },
})

/** The identity providers of the silo. */
export function IdentityProvidersTab({ silo }: { silo: Silo }) {
  const { name } = silo
  return (
    <ListTab
      page={useList(list, silo)}
      columns={useMemo(() => columns(name), [name])}
      rowActions={(provider) => [
        ...menuEntries([
          activityAction({ kind: 'saml_identity_provider', ...provider }),
          codeAction(provider.id, { kind: 'identity-provider', silo: name, name: provider.name }),
        ]),
        {
          id: 'delete',
          label: common.deleteLabel,
          destructive: true,
          icon: Trash2,
          needs: samlIdentityProviderDelete,
          onAction: () => deleteIdentityProvider(provider, name),
        },
      ]}
    />
  )
}
