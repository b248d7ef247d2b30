import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Box } from 'lucide-react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { ResultsPage } from '~/api/list'
import type { Operation } from '~/api/operation'
import { queryClient } from '~/api/query-client'

import { currentActions } from './action-registry'
import { defineList, ListScreen, useList } from './list-screen'
import type { ListDefinition } from './list-screen'
import { loadSession } from './session'

interface Thing {
  id: string
  name: string
}
interface ThingListData {
  query?: { project?: string; limit?: number; pageToken?: string }
  url: string
}

const thingList: Operation<ThingListData, ResultsPage<Thing>> = {
  name: 'thingList',
  method: 'GET',
  path: '/v1/things',
}

const things = defineList({
  operation: thingList,
  params: (project: string) => ({ query: { project } }),
  title: 'Things',
  label: 'Things of the project',
  icon: Box,
  docs: { heading: 'Learn about things', summary: 'A thing is a thing.', links: [] },
  create: {
    operation: { name: 'thingCreate', method: 'POST', path: '/v1/things' },
    path: (project) => `/projects/${project}/things-new`,
    label: 'New Thing',
    action: 'New thing',
  },
  empty: { title: 'No things', body: 'Create a thing to see it here', button: 'Make a thing' },
  goTo: {
    group: 'Go to thing',
    path: ({ name }, project) => `/projects/${project}/things/${name}`,
  },
})

let rows: Thing[]
let asked: string[] = []

async function show(list: ListDefinition<string, ThingListData, Thing>) {
  function Things() {
    return (
      <ListScreen
        page={useList(list, 'web')}
        columns={[{ id: 'name', header: 'name', isName: true, cell: ({ name }) => name }]}
      />
    )
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Things }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByText(rows[0]?.name ?? 'No things')
}

const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

beforeEach(async () => {
  rows = [{ id: 't1', name: 'first' }]
  configureTransport({
    host: '',
    fetch: (url) => {
      asked.push(String(url))
      return Promise.resolve(Response.json({ items: rows, id: 'ada', allowed: [], refused: [] }))
    },
  })
  await loadSession(queryClient)
  asked = []
  vi.spyOn(window, 'scrollTo').mockReturnValue()
})

afterEach(() => queryClient.clear())

it('shows what a list states: heading, docs, the way to the form, and the rows', async () => {
  await show(things)
  expect(asked).toEqual(['/v1/things?project=web&limit=50'])
  screen.getByRole('heading', { level: 1, name: 'Things' })
  screen.getByRole('button', { name: 'Learn about things' })
  screen.getByRole('table', { name: 'Things of the project' })
  expect(href('New Thing')).toBe('/projects/web/things-new')
})

it('puts the form and the rows into the palette', async () => {
  await show(things)
  expect(currentActions()).toMatchObject([
    { label: 'New thing', shortcut: 'n', href: '/projects/web/things-new' },
    { label: 'first', group: 'Go to thing', href: '/projects/web/things/first' },
  ])
})

it('says in place of rows what would be there, with the way to it', async () => {
  rows = []
  await show(things)
  screen.getByText('Create a thing to see it here')
  expect(screen.queryByRole('button', { name: 'View' })).toBeNull()
  expect(href('Make a thing')).toBe('/projects/web/things-new')
})

it('stands in a tab without a heading of its own', async () => {
  await show({ ...things, title: undefined })
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  screen.getByRole('button', { name: 'View' })
  expect(href('New Thing')).toBe('/projects/web/things-new')
})

describe('a form in a dialog', () => {
  const preload = vi.fn<() => void>()
  const list: ListDefinition<string, ThingListData, Thing> = {
    ...things,
    create: {
      operation: { name: 'thingCreate', method: 'POST', path: '/v1/things' },
      label: 'Add thing',
      dialog: (project, { onDismiss }) => (
        <div role="dialog" aria-label={`Add thing to ${project}`}>
          <button type="button" onClick={onDismiss}>
            Close
          </button>
        </div>
      ),
      preload,
    },
  }

  it('opens from the button and from the palette', async () => {
    const user = userEvent.setup()
    await show(list)
    await user.hover(screen.getByRole('button', { name: 'Add thing' }))
    expect(preload).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('button', { name: 'Add thing' }))
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => currentActions()[0]?.perform?.())
    screen.getByRole('dialog', { name: 'Add thing to web' })
  })

  it('opens from the empty state, and stays open when the list has got a row', async () => {
    const user = userEvent.setup()
    rows = []
    await show(list)
    await user.click(screen.getByRole('button', { name: 'Make a thing' }))
    rows = [{ id: 't1', name: 'first' }]
    await act(() => queryClient.invalidateQueries())
    await screen.findByText('first')
    screen.getByRole('dialog', { name: 'Add thing to web' })
  })
})
