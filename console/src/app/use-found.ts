import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'

import { allItems, pageSize } from '~/api/list'
import type { ResultsPage } from '~/api/list'
import type { Operation, OperationData, Params } from '~/api/operation'
import { q } from '~/api/query'
import type { CallOptions } from '~/api/query'
import { tellMissing } from '~/ui/on-demand'
import type { PaginationProps } from '~/ui/pagination'
import type { Column } from '~/ui/table-column'

import type * as listRows from './list-rows'
import { filtersOf, sortOf } from './list-view'
import type { ListView } from './list-view'

/** How many rows there are on all pages. */
export interface ListTotal {
  count: number
  isExact: boolean
}

/** A page of a list that the server searches, sorts and counts. */
export interface FoundPage<Row> extends ResultsPage<Row> {
  total?: ListTotal | null
}

/** What every operation takes that searches a list. */
export interface FoundData extends OperationData {
  query?: {
    limit?: number
    pageToken?: string
    q?: string
    sortBy?: 'name_ascending' | 'name_descending' | 'time_ascending' | 'time_descending'
    state?: string
    label?: string
    total?: boolean
  }
}

type Asked = NonNullable<FoundData['query']>

/** Where more of a list is than was loaded. */
export interface ListSource<Row> {
  operation: Operation<OperationData, ResultsPage<Row>>
  /** Searches, sorts and counts the list on the server, where it can be larger than a page. */
  found?: Operation<FoundData, FoundPage<Row>>
  params: object
}

/** What is loaded of a list. One without a source is loaded whole. */
interface Loaded<Row> {
  items: Row[]
  isLoading: boolean
  pagination?: PaginationProps
  source?: ListSource<Row>
}

/** The labels that rows have to have. */
export interface LabelFilter {
  /** What is asked of them, as the server reads it. */
  selector: string
  /** Ids of all that has them, where the server does not filter the list; not as long as it has not said. */
  ids?: ReadonlySet<string>
}

/** The rows to show. */
export interface Found<Row> {
  items: Row[]
  isLoading: boolean
  pagination?: PaginationProps
  /** Whether rows may be missing because of a search or a filter. */
  isFiltered: boolean
  /** Rows that pass the search and the filters. */
  total?: ListTotal
  /** All rows of the list, where that is known. */
  all?: number
  /** Whether there are more rows than were searched. */
  isPartial?: boolean
  /** Why the list cannot be filtered by labels. */
  failure?: Error
}

/** Columns by which the server sorts, with its names for both directions. */
const SORTS = {
  name: ['name_ascending', 'name_descending'],
  created: ['time_ascending', 'time_descending'],
} as const

/** The server's filters by columns. */
const FILTERS = ['state'] as const

/** What the server is asked for a view; none if it cannot answer it. */
function serverQuery(view: ListView, label: string | undefined): Asked | undefined {
  const { id, isDescending } = sortOf(view)
  const filters = filtersOf(view)
  const isKnown = [...filters.keys()].every((key) => FILTERS.some((known) => known === key))
  if (!isKnown || !(id === undefined || id === 'name' || id === 'created')) return undefined
  const state = filters.get('state')
  return {
    ...(view.q && { q: view.q }),
    ...(state && { state: [...state].join() }),
    ...(id && { sortBy: SORTS[id][isDescending ? 1 : 0] }),
    ...(label && { label }),
  }
}

/**
 * The rows of a list that are shown in a view. A list that is loaded whole is searched and sorted here, a longer one by the server, which
 * also knows what has labels.
 */
export function useFound<Row extends object>(
  page: Loaded<Row>,
  columns: readonly Column<Row>[],
  view: ListView,
  labels?: LabelFilter,
): Found<Row> {
  const { pagination, source } = page
  const isFiltered = Boolean(view.q ?? view.filter ?? labels)
  const isActive = isFiltered || view.sort !== undefined
  const label = source?.found && labels?.selector
  const isWhole = !label && !pagination?.hasPrevious && !pagination?.hasNext
  const asked = isWhole ? undefined : serverQuery(view, label)
  const isByServer = source?.found !== undefined && asked !== undefined
  const server = useServerPage(source, asked ?? {}, {
    isCounted: isByServer && !page.isLoading,
    isActive: isByServer && isActive,
  })
  const needsAll = isActive && !isWhole && !isByServer
  const whole = useQuery(everything(source, needsAll, label))
  const all = needsAll ? whole.data?.items : page.items
  const isPicked = labels !== undefined && !label
  const ids = labels?.ids
  const rows = useMemo(
    () => (isPicked ? all?.filter((row) => ids?.has((row as { id: string }).id)) : all),
    [isPicked, all, ids],
  )
  const arranged = useArranged(rows ?? NONE, columns, view, isActive && !isByServer)
  if (isByServer) {
    const { total } = server
    return isActive
      ? { ...server, isFiltered }
      : { items: page.items, isLoading: page.isLoading, pagination, isFiltered, total }
  }
  const isLoading =
    page.isLoading || (needsAll && !whole.data && !whole.isError) || (isPicked && !ids)
  const isPartial = needsAll && Boolean(whole.data?.nextPage) && all?.length === allItems
  const isKnown = !isLoading && (isWhole || needsAll)
  return {
    items: arranged,
    isLoading,
    pagination: needsAll ? undefined : pagination,
    isFiltered,
    isPartial,
    total: isKnown && !isPartial ? { count: arranged.length, isExact: true } : undefined,
    all: isKnown && isFiltered && !label ? all?.length : undefined,
    failure: (label && whole.error) || undefined,
  }
}

const NONE: never[] = []

/** Everything of a list that the server cannot search, for all practical sizes. */
function everything<Row>(
  source: ListSource<Row> | undefined,
  enabled: boolean,
  label: string | undefined,
) {
  const { operation, found, params }: ListSource<Row> = source ?? NOWHERE
  const { query, ...rest }: { query?: object } = params
  const all = { ...rest, query: { ...query, ...(label && { label }), limit: allItems } }
  const asked: Operation<OperationData, ResultsPage<Row>> = (label && found) || operation
  return q(asked, all as Params<OperationData>, { enabled })
}

/** Loaded when a list is searched, filtered or sorted for the first time. */
let loaded: typeof listRows | undefined

function useArranged<Row extends object>(
  rows: Row[],
  columns: readonly Column<Row>[],
  view: ListView,
  isWanted: boolean,
): Row[] {
  const [engine, setEngine] = useState(() => loaded)
  useEffect(() => {
    if (!isWanted || engine) return
    import('./list-rows').then((part) => {
      loaded = part
      setEngine(part)
    }, tellMissing)
  }, [isWanted, engine])
  const { q: text, sort, filter } = view
  return useMemo(
    () => (isWanted && engine ? engine.rowsOf(rows, columns, { q: text, sort, filter }) : rows),
    [isWanted, engine, rows, columns, text, sort, filter],
  )
}

/** A page as the server finds it, with the way to its neighbours. */
function useServerPage<Row>(
  source: ListSource<Row> | undefined,
  asked: Asked,
  { isCounted, isActive }: { isCounted: boolean; isActive: boolean },
) {
  const { found = NOWHERE.found, params }: ListSource<Row> = source ?? NOWHERE
  const [turned, setTurned] = useState({ key: '', tokens: [] as string[] })
  const key = JSON.stringify([params, asked])
  const tokens = turned.key === key ? turned.tokens : []
  const { query, ...rest }: { query?: object } = params
  const pageToken = tokens.at(-1)
  const limit = isActive ? pageSize : 1
  const call = { ...rest, query: { ...query, ...asked, limit, total: true, pageToken } }
  const { data, isPlaceholderData, error } = useQuery({
    ...filled(found, call, limit),
    enabled: isCounted,
    placeholderData: keepPreviousData,
  })
  if (!data && error && isActive && !asked.label) throw error
  const turn = (next: string[]) => setTurned({ key, tokens: next })
  const { nextPage, items = NONE, total } = data ?? {}
  return {
    items,
    isLoading: data === undefined && !error,
    failure: (asked.label && error) || undefined,
    total: total ?? undefined,
    pagination: {
      pageSize,
      hasPrevious: tokens.length > 0,
      hasNext: Boolean(nextPage),
      loading: isPlaceholderData,
      onPrevious: () => turn(tokens.slice(0, -1)),
      onNext: () => nextPage && turn([...tokens, nextPage]),
    },
  }
}

/** Is never asked. */
const NOWHERE = {
  operation: { name: '', method: 'GET', path: '' },
  found: { name: '', method: 'GET', path: '' },
  params: {},
}

/** A page that has a row, if there is any more: the server looks at so many rows for one, and none of them may pass the filters. */
function filled<Row>(
  operation: Operation<FoundData, FoundPage<Row>>,
  params: object,
  limit: number,
): CallOptions<FoundPage<Row>> {
  const page = (of: object) => q(operation, of as Params<FoundData>)
  const first = page(params)
  return {
    ...first,
    queryFn: async (context) => {
      let found = await first.queryFn(context)
      while (found.items.length === 0 && found.nextPage) {
        found = await page({ query: { limit, pageToken: found.nextPage } }).queryFn(context)
      }
      return found
    },
  }
}
