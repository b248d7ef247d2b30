import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseSearch, stringifySearch } from '~/lib/search'

import { configureTransport } from './client'
import { listPage, pageSearch, useListPage } from './list'
import type { ResultsPage } from './list'
import type { Operation } from './operation'
import { queryClient } from './query-client'

interface ListInput {
  query?: { limit?: number; pageToken?: string; project?: string }
  url: string
}

const thingList: Operation<ListInput, ResultsPage<{ name: string }>> = {
  name: 'thingList',
  method: 'GET',
  path: '/v1/things',
}

/** Five things on pages of two; the server gives a token with every page that is not empty. */
const answer = (url: string) => {
  const query = new URL(url, 'http://cloud').searchParams
  const start = Number(query.get('page_token') ?? 0)
  const names = ['a', 'b', 'c', 'd', 'e'].slice(start, start + Number(query.get('limit')))
  const page = { items: names.map((name) => ({ name })), next_page: String(start + names.length) }
  return Promise.resolve(new Response(JSON.stringify(page)))
}

function Things() {
  const { items, pagination } = useListPage(thingList, {}, { limit: 2 })
  return (
    <>
      <p>{items.map(({ name }) => name).join(' ')}</p>
      <button disabled={!pagination.hasPrevious} onClick={pagination.onPrevious}>
        prev
      </button>
      <button disabled={!pagination.hasNext} onClick={pagination.onNext}>
        next
      </button>
    </>
  )
}

function show(entry: string) {
  const rootRoute = createRootRoute()
  const route = createRoute({
    getParentRoute: () => rootRoute,
    path: '/things',
    validateSearch: pageSearch,
    component: Things,
  })
  const router = createRouter({
    routeTree: rootRoute.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [entry] }),
    parseSearch,
    stringifySearch,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return router
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => act(async () => button(name).click())

beforeEach(() => {
  configureTransport({ host: '', fetch: answer })
  // jsdom does not lay out, so it cannot scroll.
  vi.spyOn(window, 'scrollTo').mockReturnValue()
})

afterEach(() => queryClient.clear())

describe('listPage', () => {
  it('asks for one page of the standard size', () => {
    expect(listPage(thingList, { query: { project: 'web' } }, {}).queryKey).toEqual([
      'thingList',
      { query: { project: 'web', limit: 50 } },
    ])
  })

  it('takes the token from the location and nothing else', () => {
    const { queryKey } = listPage(thingList, {}, { pageToken: 't', tab: 'x' }, { limit: 1000 })
    expect(queryKey).toEqual(['thingList', { query: { limit: 1000, pageToken: 't' } }])
  })
})

describe('useListPage', () => {
  it('goes forward to the last page and back, with the token in the address', async () => {
    const router = show('/things')
    await screen.findByText('a b')
    expect(button('prev').disabled).toBe(true)
    await press('next')
    await screen.findByText('c d')
    expect(router.state.location.search).toEqual({ pageToken: '2' })
    await press('next')
    await screen.findByText('e')
    expect(button('next').disabled).toBe(true)
    await press('prev')
    await screen.findByText('c d')
    await press('prev')
    await screen.findByText('a b')
    expect(router.state.location.search).toEqual({})
  })

  it('follows the back button', async () => {
    const router = show('/things')
    await screen.findByText('a b')
    await press('next')
    await screen.findByText('c d')
    await act(async () => router.history.back())
    await screen.findByText('a b')
  })

  it('leads from a page opened by its address to the first one', async () => {
    show('/things?pageToken=4')
    await screen.findByText('e')
    await press('prev')
    await screen.findByText('a b')
  })
})
