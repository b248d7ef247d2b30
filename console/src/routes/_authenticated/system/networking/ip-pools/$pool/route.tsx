import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Globe } from 'lucide-react'
import { useMemo } from 'react'

import { ipPoolRangeList, ipPoolSiloList, ipPoolView } from '~/api/generated/operations'
import { listPage, pageSearch } from '~/api/list'
import type { PageSearch } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import { QueryTabs } from '~/app/query-tabs'
import { tabSearch } from '~/app/tab-search'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/ip-pool-screens'
import { ipPoolActions } from '~/resource/ip-pool-actions'
import { ipPoolDocs } from '~/resource/ip-pool-docs'
import { hasAddresses, ipPoolAddresses, ipPoolUtilization } from '~/resource/ip-pool-utilization'
import { siloNames } from '~/resource/silo-names'
import { IP_POOLS_PATH } from '~/resource/system-paths'
import { PageHeader } from '~/ui/page-header'

import { IpPoolBars, IpPoolProperties } from './-ip-pool-properties'
import { LinkedSilosTab } from './-linked-silos-tab'
import { RangesTab } from './-ranges-tab'

const tabOf = tabSearch(['ranges', 'silos'])

/** Search parameters: the open tab and the page of its list. */
const poolSearch = (search: Record<string, unknown>) => ({
  ...tabOf(search),
  ...pageSearch(search),
})

export const Route = createFileRoute('/_authenticated/system/networking/ip-pools/$pool')({
  validateSearch: poolSearch,
  loader: ({ context: { queryClient }, params: { pool }, location }) => {
    const { tab, ...page } = poolSearch({ ...location.search })
    return Promise.all([
      load(queryClient, q(ipPoolView, { path: { pool } })),
      load(queryClient, ipPoolUtilization(pool)),
      loadTab(queryClient, pool, tab, page),
    ])
  },
  staticData: {
    crumb: [
      { label: crumbs.ipPoolsLabel, to: () => IP_POOLS_PATH },
      { label: ({ pool = '' }) => pool },
    ],
  },
  component: IpPoolPage,
})

/** Loads the data of the open tab. The other tab loads its data when it is opened. */
function loadTab(client: QueryClient, pool: string, tab: string | undefined, page: PageSearch) {
  if (tab !== 'silos') return load(client, listPage(ipPoolRangeList, { path: { pool } }, page))
  return Promise.all([
    load(client, listPage(ipPoolSiloList, { path: { pool } }, page)),
    load(client, siloNames),
  ])
}

function IpPoolPage() {
  const path = Route.useParams()
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  const pool = useLoaded(q(ipPoolView, { path }))
  const addresses = ipPoolAddresses(useLoaded(ipPoolUtilization(path.pool)))
  const deleteRefusal = hasAddresses(addresses) ? text.hasRangesError : undefined
  const actions = useMemo(
    () => ipPoolActions(pool, { deleteRefusal, leave: () => navigate({ to: IP_POOLS_PATH }) }),
    [pool, deleteRefusal, navigate],
  )
  useActionsOf(text.actionsLabel(pool.name), actions)
  return (
    <>
      <PageHeader
        icon={<Globe />}
        title={pool.name}
        docs={ipPoolDocs}
        actions={<ActionsMenu label={text.ipPoolActionsLabel} id={pool.id} actions={actions} />}
      />
      <IpPoolProperties pool={pool} />
      <IpPoolBars {...addresses} />
      <div className="mt-5">
        <QueryTabs
          label={text.ipPoolLabel}
          items={[
            { id: 'ranges', label: text.ipRangesLabel, content: <RangesTab pool={path.pool} /> },
            { id: 'silos', label: text.linkedSilosLabel, content: <LinkedSilosTab pool={pool} /> },
          ]}
          path={`${IP_POOLS_PATH}/${path.pool}`}
          selected={tab}
        />
      </div>
      <Outlet />
    </>
  )
}
