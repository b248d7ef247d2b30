import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Cloud } from 'lucide-react'
import { useMemo } from 'react'

import {
  siloIdentityProviderList,
  siloIpPoolList,
  siloUserList,
  siloUtilizationView,
  siloView,
} from '~/api/generated/operations'
import type { Silo } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import type { PageSearch } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import { permissionsOn } from '~/app/permissions'
import { QueryTabs } from '~/app/query-tabs'
import type { QueryTab } from '~/app/query-tabs'
import { activityAction, codeAction } from '~/app/resource-actions'
import { tabSearch } from '~/app/tab-search'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/silo-detail-screens'
import { siloDocs } from '~/resource/silo-docs'
import { siloIpPools } from '~/resource/silo-ip-pools'
import { PageHeader } from '~/ui/page-header'

import { FleetRolesTab } from './-fleet-roles-tab'
import { IdentityProvidersTab } from './-identity-providers-tab'
import { IpPoolsTab } from './-ip-pools-tab'
import { QuotasTab } from './-quotas-tab'
import { SiloProperties } from './-silo-properties'
import { UsersTab } from './-users-tab'

const tabOf = tabSearch(['idps', 'ip-pools', 'quotas', 'fleet-roles', 'users'])

/** Search parameters: the open tab and the page of its list. */
const siloSearch = (search: Record<string, unknown>) => ({
  ...tabOf(search),
  ...pageSearch(search),
})

export const Route = createFileRoute('/_authenticated/system/silos/$silo')({
  validateSearch: siloSearch,
  loader: ({ context: { queryClient }, params: { silo }, location }) => {
    const { tab, ...page } = siloSearch({ ...location.search })
    return Promise.all([
      load(queryClient, q(siloView, { path: { silo } })),
      load(queryClient, permissionsOn({ on: 'silo', silo })),
      loadTab(queryClient, silo, tab, page),
    ])
  },
  staticData: {
    crumb: [
      { label: crumbs.silosLabel, to: () => '/system/silos' },
      { label: ({ silo = '' }) => silo },
    ],
  },
  component: SiloPage,
})

/** Loads the data of the open tab. The other tabs load their data when they are opened. */
function loadTab(client: QueryClient, silo: string, tab: string | undefined, page: PageSearch) {
  switch (tab) {
    case undefined:
      return load(client, listPage(siloIdentityProviderList, { query: { silo } }, page))
    case 'ip-pools':
      return Promise.all([
        load(client, listPage(siloIpPoolList, { path: { silo } }, page)),
        load(client, siloIpPools(silo)),
      ])
    case 'quotas':
      return load(client, q(siloUtilizationView, { path: { silo } }))
    case 'users':
      return load(client, listPage(siloUserList, { query: { silo } }, page))
    default:
      return undefined
  }
}

function SiloPage() {
  const path = Route.useParams()
  const { tab } = Route.useSearch()
  const silo = useLoaded(q(siloView, { path }))
  const actions = useMemo(
    () => [
      activityAction({ kind: 'silo', ...silo }),
      codeAction(silo.id, { kind: 'silo', name: silo.name }),
    ],
    [silo],
  )
  useActionsOf(text.actionsLabel(silo.name), actions)
  return (
    <>
      <PageHeader
        icon={<Cloud />}
        title={silo.name}
        docs={siloDocs}
        actions={<ActionsMenu label={text.siloActionsLabel} id={silo.id} actions={actions} />}
      />
      <SiloProperties silo={silo} />
      <div className="mt-5">
        <QueryTabs
          label={text.siloLabel}
          items={tabs(silo)}
          path={`/system/silos/${path.silo}`}
          selected={tab}
        />
      </div>
      <Outlet />
    </>
  )
}

function tabs(silo: Silo): QueryTab[] {
  const { name } = silo
  const users = { id: 'users', label: text.usersLabel, content: <UsersTab silo={name} /> }
  return [
    {
      id: 'idps',
      label: text.identityProvidersLabel,
      content: <IdentityProvidersTab silo={silo} />,
    },
    { id: 'ip-pools', label: text.ipPoolsTabLabel, content: <IpPoolsTab silo={name} /> },
    { id: 'quotas', label: text.quotasLabel, content: <QuotasTab silo={name} /> },
    { id: 'fleet-roles', label: text.fleetRolesLabel, content: <FleetRolesTab silo={silo} /> },
    ...(silo.identityMode === 'local_only' ? [users] : []),
  ]
}
