import { createFileRoute } from '@tanstack/react-router'
import { Search } from 'lucide-react'

import { searchList } from '~/api/generated/operations'
import type { SearchResult } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import type { PageSearch } from '~/api/list'
import { load } from '~/api/query'
import { defineList, ListTab, noRowActions, useList } from '~/app/list-screen'
import { useSession } from '~/app/session'
import { useUrlText } from '~/app/use-url-text'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/crumb-screens'
import * as text from '~/messages/search'
import { KindFilters } from '~/resource/kind-filters'
import { ResultState } from '~/resource/result-state'
import { resultContainers, resultName, resultPath, resultViewer } from '~/resource/search-results'
import { EmptyMessage } from '~/ui/empty-message'
import { FilterField } from '~/ui/filter-field'
import { LinkCell } from '~/ui/link-cell'
import { PageHeader } from '~/ui/page-header'
import type { Column } from '~/ui/table-column'

/** What is searched for. */
interface SearchedFor {
  q?: string
  /** Of this kind alone. */
  kind?: string
}

const searchOf = (search: Record<string, unknown>): SearchedFor & PageSearch => ({
  ...(typeof search.q === 'string' && search.q && { q: search.q }),
  ...(typeof search.kind === 'string' && search.kind && { kind: search.kind }),
  ...pageSearch(search),
})

const paramsOf = ({ q = '', kind }: SearchedFor) => ({ query: { q, ...(kind && { kind }) } })

export const Route = createFileRoute('/_authenticated/_silo/search')({
  validateSearch: searchOf,
  loader: ({ context, location }) => {
    const search = searchOf({ ...location.search })
    if (!search.q) return undefined
    return load(context.queryClient, listPage(searchList, paramsOf(search), search))
  },
  staticData: { crumb: { label: crumbs.searchLabel } },
  component: SearchPage,
})

const list = defineList({
  operation: searchList,
  params: paramsOf,
  label: text.resultsLabel,
  icon: Search,
  isRanked: true,
  empty: { title: text.nothingFoundTitle, body: text.nothingFoundHelp },
  rowKey: ({ kind, id }) => `${kind}-${id}`,
})

function SearchPage() {
  const { q = '', kind } = Route.useSearch()
  const navigate = Route.useNavigate()
  const [typed, type] = useUrlText(
    q,
    (text) => void navigate({ search: { q: text, kind }, replace: true }),
  )
  return (
    <>
      <PageHeader icon={<Search />} title={text.searchTitle} />
      <FilterField
        label={text.searchEverythingLabel}
        value={typed}
        onChange={type}
        className="mb-4 max-w-160"
      />
      {q === '' ? (
        <EmptyMessage icon={<Search />} title={text.typeTitle} body={text.typeHelp} />
      ) : (
        <Results searched={{ q, kind }} />
      )}
    </>
  )
}

function Results({ searched }: { searched: SearchedFor }) {
  const navigate = Route.useNavigate()
  const page = useList(list, searched, { mayBeShort: true })
  const viewer = resultViewer(useSession())
  const columns: Column<SearchResult>[] = [
    {
      id: 'name',
      header: common.nameColumnLabel,
      isName: true,
      value: resultName,
      cell: (result) => {
        const path = resultPath(result, viewer)
        const name = resultName(result)
        return path ? <LinkCell href={path}>{name}</LinkCell> : name
      },
    },
    {
      id: 'kind',
      header: text.kindColumnLabel,
      width: 180,
      isKey: true,
      cell: ({ kind }) => text.kindLabel[kind] ?? kind,
    },
    {
      id: 'within',
      header: text.withinColumnLabel,
      width: 240,
      cell: (result) => resultContainers(result, viewer).join(' / '),
    },
    {
      id: 'matched',
      header: text.matchedColumnLabel,
      width: 300,
      cell: ({ matched }) => text.matchedText(matched.field, matched.text),
    },
    {
      id: 'state',
      header: text.stateColumnLabel,
      width: 130,
      value: ({ state }) => state,
      cell: (result) => <ResultState {...result} />,
    },
  ]
  const rest = page.pagination.hasNext && (
    <EmptyMessage icon={<Search />} title={text.restTitle} body={text.restHelp} />
  )
  return (
    <>
      <KindFilters
        results={page.items}
        chosen={searched.kind}
        onChoose={(kind) => void navigate({ search: { ...searched, kind }, replace: true })}
        className="mb-4"
      />
      <ListTab page={page} columns={columns} rowActions={noRowActions} empty={rest || undefined} />
    </>
  )
}
