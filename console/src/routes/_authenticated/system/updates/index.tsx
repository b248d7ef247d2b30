import { createFileRoute } from '@tanstack/react-router'
import { CircleArrowUp } from 'lucide-react'

import { systemUpdateTrustRootList } from '~/api/generated/operations'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { QueryTabs } from '~/app/query-tabs'
import { tabSearch } from '~/app/tab-search'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/update-screens'
import { targetRelease } from '~/resource/target-release'
import { updateDocs } from '~/resource/update-docs'
import { UPDATES_PATH } from '~/resource/update-paths'
import { PageHeader } from '~/ui/page-header'

import { ReleasesTab } from './-updates/releases-tab'
import { TrustRootsTab } from './-updates/trust-roots-tab'

const tabOf = tabSearch(['releases', 'trust-roots'])

const updatesSearch = (search: Record<string, unknown>) => ({
  ...tabOf(search),
  ...pageSearch(search),
})

export const Route = createFileRoute('/_authenticated/system/updates/')({
  validateSearch: updatesSearch,
  loader: ({ context: { queryClient }, location }) => {
    const { tab, ...page } = updatesSearch({ ...location.search })
    return Promise.all([
      // Repositories can be uploaded only if there is a trust root.
      load(queryClient, listPage(systemUpdateTrustRootList, {}, page)),
      tab ? undefined : load(queryClient, targetRelease),
    ])
  },
  staticData: { crumb: { label: crumbs.updatesLabel } },
  component: UpdatesPage,
})

const tabs = [
  { id: 'releases', label: text.releasesLabel, content: <ReleasesTab /> },
  { id: 'trust-roots', label: text.trustRootsLabel, content: <TrustRootsTab /> },
]

function UpdatesPage() {
  const { tab } = Route.useSearch()
  return (
    <>
      <PageHeader icon={<CircleArrowUp />} title={text.updatesTitle} docs={updateDocs} />
      <QueryTabs label={text.updatesLabel} items={tabs} path={UPDATES_PATH} selected={tab} />
    </>
  )
}
