import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { scrollPane } from '~/lib/scroll-pane'

import type { Operation, OperationData, Params } from './operation'
import { load, q } from './query'
import type { CallOptions } from './query'

/** Rows on one page of a list. */
export const pageSize = 50

/** The limit of lists that feed pickers: everything, for all practical sizes. */
export const allItems = 1000

/** A page of a list as every list operation answers. */
export interface ResultsPage<Row> {
  items: Row[]
  nextPage?: string | null
}

/** What a list keeps in the URL: a reload and the back button return to the same page. */
export interface PageSearch {
  pageToken?: string
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** Tokens of the pages before this one, first page (the empty token) first. */
    previousPages?: string[]
  }
}

/** `validateSearch` of every list route. */
export function pageSearch(search: Record<string, unknown>): PageSearch {
  const { pageToken } = search
  return typeof pageToken === 'string' && pageToken ? { pageToken } : {}
}

type ListOperation<Data extends OperationData, Row> = Operation<Data, ResultsPage<Row>>

/** Query options of one page; a list route's loader gives them to `load` with the location's search. */
export function listPage<Data extends OperationData, Row>(
  operation: ListOperation<Data, Row>,
  params: Params<Data>,
  search: object,
  extra: Parameters<typeof q<Data, ResultsPage<Row>>>[2] & { limit?: number } = {},
): CallOptions<ResultsPage<Row>> {
  const { limit = pageSize, ...options } = extra
  const query = { ...(params as { query?: object }).query, limit, ...pageSearch({ ...search }) }
  return q(operation, { ...params, query }, options)
}

/** The parameters of a list that depends on no path. */
export const noParams = () => ({})

/** Loads the page of a list that the location names. Loaders of list routes call it. */
export const loadPage = <Data extends OperationData, Row>(
  { context, location }: { context: { queryClient: QueryClient }; location: { search: object } },
  operation: ListOperation<Data, Row>,
  params: Params<Data>,
) => load(context.queryClient, listPage(operation, params, location.search))

/**
 * Once the first row of a newly turned page is there, the pane scrolls back to the top.
 *
 * @param pageToken tells one page from another.
 * @param isOld whether the rows are still those of the page before.
 */
export function useScrollOnPaging(pageToken: string | undefined, isOld: boolean) {
  const shown = useRef(pageToken)
  useEffect(() => {
    if (isOld || shown.current === pageToken) return
    shown.current = pageToken
    scrollPane()?.scrollTo(0, 0)
  }, [pageToken, isOld])
}

/** How {@link useListPage} fetches. */
export type ListPageOptions<Data extends OperationData, Row> = Parameters<
  typeof listPage<Data, Row>
>[3] & {
  /** The server gives a token only with pages that others follow, however few rows they have. */
  mayBeShort?: boolean
}

/**
 * The current page of a list, its paging state and the way to its neighbours. Tokens only lead forward, so the ones before are
 * remembered in the history entry; a link opened from outside has none, and "prev" then leads to the first page.
 */
export function useListPage<Data extends OperationData, Row>(
  operation: ListOperation<Data, Row>,
  params: Params<Data>,
  { mayBeShort = false, ...extra }: ListPageOptions<Data, Row> = {},
) {
  const { limit = pageSize } = extra
  const location = useLocation()
  const navigate = useNavigate()
  const { pageToken } = pageSearch(location.search)
  const previousPages = location.state.previousPages ?? (pageToken ? [''] : [])
  const query = useQuery(
    listPage(operation, params, { pageToken }, { placeholderData: keepPreviousData, ...extra }),
  )
  const { data, error, isPlaceholderData, refetch } = query
  useScrollOnPaging(pageToken, isPlaceholderData)
  if (!data && error) throw error

  const open = (token: string, pages: string[]) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, pageToken: token || undefined }),
      state: { previousPages: pages },
      resetScroll: false,
    })

  const items = data?.items ?? []
  const nextPage = data?.nextPage
  return {
    items,
    isLoading: data === undefined,
    refetch,
    /**
     * When the rows came, in milliseconds since the epoch. Whoever calls it is rendered after each fetch, even of equal rows; others are
     * not.
     */
    updatedAt: () => query.dataUpdatedAt,
    pagination: {
      pageSize: limit,
      hasPrevious: pageToken !== undefined,
      // Most operations give a token with every page that is not empty, so a short page is the last one.
      hasNext: (mayBeShort || items.length >= limit) && Boolean(nextPage),
      loading: isPlaceholderData,
      onFirst: () => open('', []),
      onPrevious: () => open(previousPages.at(-1) ?? '', previousPages.slice(0, -1)),
      onNext: () => nextPage && open(nextPage, [...previousPages, pageToken ?? '']),
    },
  }
}
