import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'

import { allItems, pageSize, useScrollOnPaging } from '~/api/list'
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
export interface Loaded<Row> {
  items: Row[]
  isLoading: boolean
  pagination?: PaginationProps
  source?: ListSource<Row>
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
export const FILTERS = ['state'] as const

/** Whether a list has no rows but those of the page. */
export const isWhole = ({ pagination }: Pick<Loaded<unknown>, 'pagination'>): boolean =>
  !pagination?.hasPrevious && !pagination?.hasNext

/** What the server is asked for a view; none if it cannot answer it. */
function serverQuery(view: ListView): Asked | undefined {
  const { id, isDescending } = sortOf(view)
  const filters = filtersOf(view)
  const isKnown = [...filters.keys()].every((key) => FILTERS.some((known) => known === key))
  if (!isKnown || !(id === undefined || id === 'name' || id === 'created')) return undefined
  const state = filters.get('state')
  return {
    ...(view.q && { q: view.q }),
    ...(state && { state: [...state].join() }),
    ...(view.label && { label: view.label }),
    ...(id && { sortBy: SORTS[id][isDescending ? 1 : 0] }),
  }
}

/**
 * The rows of a list that are shown in a view. A list that is loaded whole is searched and sorted here, a longer one by the server, which
 * alone knows what has labels.
 *
 * @param labelled ids of all that has the labels of the view, for lists that the server does not search; not as long as it has not said.
 */
export function useFound<Row extends object>(
  page: Loaded<Row>,
  columns: readonly Column<Row>[],
  view: ListView,
  labelled?: ReadonlySet<string>,
): Found<Row> {
  const { pagination, source } = page
  const label = source?.found && view.label
  const isHere = !label && isWhole(page)
  const isFiltered = Boolean(view.q ?? view.filter ?? view.label)
  // The server has no groups, and knows no page of them.
  const isActive = isFiltered || view.sort !== undefined || view.group !== undefined
  const asked = isHere || view.group ? undefined : serverQuery(view)
  const isByServer = source?.found !== undefined && asked !== undefined
  const server = useServerPage(page, asked ?? {}, {
    isCounted: isByServer && !page.isLoading,
    isActive: isByServer && isActive,
  })
  const needsAll = isActive && !isHere && !isByServer
  const whole = useQuery(everything(source, needsAll, label))
  const all = needsAll ? whole.data?.items : page.items
  const isPicked = view.label !== undefined && !label
  const rows = useMemo(
    () => (isPicked ? all?.filter((row) => labelled?.has(idOf(row))) : all),
    [isPicked, all, labelled],
  )
  const arranged = useArranged(rows ?? NONE, columns, view, isActive && !isByServer)
  if (isByServer) return { ...server, isFiltered }
  const isLoading =
    page.isLoading || (needsAll && !whole.data && !whole.isError) || (isPicked && !labelled)
  const isPartial = needsAll && Boolean(whole.data?.nextPage) && all?.length === allItems
  const isKnown = !isLoading && (isHere || needsAll)
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

export const idOf = (row: object) => (row as { id: string }).id

const NONE: never[] = []

/** Everything of a list that the server cannot search, for all practical sizes. */
export function everything<Row>(
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

/** The page that was turned to, in a search or from the end of the list. The URL names all others. */
interface Turned {
  /** What was asked for. The page is no longer shown when something else is. */
  key: string
  /** Tokens of the pages up to this one. */
  tokens: readonly string[]
  /** Pages are counted from the end. The server is asked for the opposite order, in which the last page is the first. */
  isFromEnd?: boolean
}

/** A page as the server finds it, or its last ones, with the way to its neighbours; otherwise the page that was loaded. */
function useServerPage<Row>(
  page: Loaded<Row>,
  asked: Asked,
  { isCounted, isActive }: { isCounted: boolean; isActive: boolean },
) {
  const { found = NOWHERE.found, params, operation }: ListSource<Row> = page.source ?? NOWHERE
  const [turned, setTurned] = useState<Turned>({ key: '', tokens: [] })
  const key = JSON.stringify([params, isActive && asked])
  const { tokens, isFromEnd = false } = turned.key === key ? turned : { tokens: [] }
  const { query, ...rest }: { query?: object } = params
  const call = (more: object) => ({ ...rest, query: { ...query, ...asked, ...more } })
  const counted = useQuery({
    ...q(found, call({ limit: 1, total: true })),
    enabled: isCounted && !isActive,
    placeholderData: keepPreviousData,
  })
  const paged = { limit: pageSize, pageToken: tokens.at(-1) }
  const ask = (more: object) =>
    isActive
      ? filled(found, call({ ...paged, total: true, ...more }), pageSize)
      : q(operation as Operation<FoundData, FoundPage<Row>>, call({ ...paged, ...more }))
  const { data, isPlaceholderData, error } = useQuery({
    ...(isFromEnd ? reversed(ask({ sortBy: opposite(asked) })) : ask({})),
    enabled: isActive || (isCounted && isFromEnd),
    placeholderData: keepPreviousData,
  })
  useScrollOnPaging(JSON.stringify([tokens, isFromEnd]), isPlaceholderData || (isFromEnd && !data))
  const failure = (asked.label && error) || undefined
  if (!data && error && !failure && (isActive || isFromEnd)) throw error
  const turn = (next: readonly string[], fromEnd = isFromEnd) =>
    setTurned({ key, tokens: next, isFromEnd: fromEnd })
  const onFirst = () => {
    turn([], false)
    if (!isActive) page.pagination?.onFirst?.()
  }
  const onLast = () => turn([], true)
  if (!isActive && (!isFromEnd || !data)) {
    const { items, isLoading, pagination, source } = page
    return {
      items,
      isLoading,
      total: counted.data?.total ?? undefined,
      pagination: pagination && {
        ...pagination,
        loading: pagination.loading || isFromEnd,
        ...(source?.found && { onFirst, onLast }),
      },
    }
  }
  const { nextPage, items = NONE } = data ?? {}
  // Where nothing is searched for, the server gives a token with every page that is not empty.
  const hasMore = Boolean(nextPage) && (isActive || items.length >= pageSize)
  const more = () => nextPage && turn([...tokens, nextPage])
  const back = () => turn(tokens.slice(0, -1))
  return {
    items,
    isLoading: data === undefined && !failure,
    failure,
    total: (isActive ? data : counted.data)?.total ?? undefined,
    pagination: {
      pageSize,
      hasPrevious: isFromEnd ? hasMore : tokens.length > 0,
      hasNext: isFromEnd ? tokens.length > 0 : hasMore,
      loading: isPlaceholderData,
      onPrevious: isFromEnd ? more : back,
      onNext: isFromEnd ? back : more,
      onFirst,
      onLast,
    },
  }
}

/** The order in which the last page is the first. */
const opposite = ({ sortBy = 'name_ascending' }: Asked): Asked['sortBy'] => {
  const orders = Object.values(SORTS).find((pair) => pair.some((order) => order === sortBy))
  return orders?.find((order) => order !== sortBy)
}

/** The same page with its last row first. */
const reversed = <Row>(page: CallOptions<FoundPage<Row>>): CallOptions<FoundPage<Row>> => ({
  ...page,
  queryKey: [page.queryKey[0], page.queryKey[1], 'reversed'],
  queryFn: async (context) => {
    const { items, ...rest } = await page.queryFn(context)
    return { ...rest, items: items.toReversed() }
  },
})

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
