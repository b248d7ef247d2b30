import { useParams } from '@tanstack/react-router'
import { act, screen, waitFor } from '@testing-library/react'
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
import { renderScreen } from './test-router'
import type { FoundData, FoundPage } from './use-found'

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
        page={useList(list, useParams({ strict: false }).project ?? '')}
        columns={[{ id: 'name', header: 'name', isName: true, cell: ({ name }) => name }]}
      />
    )
  }
  const router = renderScreen(Things, { path: '/$project', at: '/web' })
  await screen.findByText(rows[0]?.name ?? 'No things')
  return router
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

describe('a list that is searched, filtered and sorted', () => {
  const names = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `t${index}`,
      name: `thing-${count - index}`,
    }))

  afterEach(() => {
    localStorage.clear()
    window.history.replaceState(null, '', '/')
  })

  it('finds rows of a whole list here, and says how many', async () => {
    const user = userEvent.setup()
    rows = numbered(12)
    await show(things)
    asked = []
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'thing-1')
    await waitFor(() => expect(names()).toEqual(['thing-12', 'thing-11', 'thing-10', 'thing-1']))
    screen.getByText('4 of 12')
    expect(asked).toEqual([])
    expect(window.location.search).toBe('?q=thing-1')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(names()).toHaveLength(12))
    screen.getByText('Total: 12')
  })

  it('says that nothing was found, with the way back', async () => {
    const user = userEvent.setup()
    rows = numbered(3)
    await show(things)
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'nowhere')
    await screen.findByText('Nothing found')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(names()).toHaveLength(3)
    const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('')
  })

  it('searches anew in the list of another project', async () => {
    const user = userEvent.setup()
    rows = numbered(12)
    const router = await show(things)
    const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    await user.type(field(), 'thing-1')
    await waitFor(() => expect(names()).toHaveLength(4))
    router.history.push('/shop')
    await waitFor(() => expect(asked.at(-1)).toContain('project=shop'))
    await waitFor(() => expect(names()).toHaveLength(12))
    expect(field().value).toBe('')
    expect(window.location.search).toBe('')
  })

  it('follows a link to another view of itself', async () => {
    const user = userEvent.setup()
    rows = numbered(12)
    const router = await show(things)
    const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    await user.type(field(), 'thing-2')
    await waitFor(() => expect(names()).toHaveLength(1))
    router.history.push('/web?q=thing-1')
    await waitFor(() => expect(names()).toHaveLength(4))
    router.history.push('/web?q=thing-1&density=compact')
    await waitFor(() => expect(window.location.search).toContain('density=compact'))
    // One that asks for nothing leaves the list as it is.
    router.history.push('/web?of=nothing')
    await waitFor(() => expect(router.state.location.searchStr).toBe('?of=nothing'))
    expect(names()).toHaveLength(4)
  })

  it('follows a link again after something else was chosen', async () => {
    const user = userEvent.setup()
    rows = numbered(12)
    const router = await show(things)
    const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    const link = () => act(() => router.navigate({ href: '/web?q=thing-1' }))
    await link()
    await waitFor(() => expect(names()).toHaveLength(4))
    await user.clear(field())
    await waitFor(() => expect(names()).toHaveLength(12))
    await link()
    await waitFor(() => expect(names()).toHaveLength(4))
    expect(field().value).toBe('thing-1')
    expect(window.location.search).toBe('?q=thing-1')
    // One that asks for nothing leaves the list as it is, also the second time.
    await act(() => router.navigate({ href: '/web' }))
    await act(() => router.navigate({ href: '/web' }))
    expect(names()).toHaveLength(4)
  })

  it('sorts by a header, and keeps it for the person', async () => {
    const user = userEvent.setup()
    rows = numbered(10)
    await show(things)
    await user.click(screen.getByRole('button', { name: 'name' }))
    await waitFor(() => expect(names().at(-1)).toBe('thing-10'))
    const header = screen.getByRole('columnheader', { name: 'name' })
    expect(header.getAttribute('aria-sort')).toBe('ascending')
    expect(localStorage.getItem('croft-lists-ada')).toContain('"sort":"name"')
    await user.click(screen.getByRole('button', { name: 'name' }))
    expect(names()[0]).toBe('thing-10')
    expect(header.getAttribute('aria-sort')).toBe('descending')
  })

  it('has a longer list searched, sorted and counted by the server', async () => {
    const found: Operation<FoundData, FoundPage<Thing>> = {
      name: 'thingSearch',
      method: 'GET',
      path: '/experimental/v1/lists/things',
    }
    const pages = [
      { items: [], next_page: 'second', total: { count: 12_000, is_exact: false } },
      { items: [{ id: 'x', name: 'far-1' }], next_page: null, total: { count: 1, is_exact: true } },
    ]
    const whole = numbered(50)
    configureTransport({
      host: '',
      fetch: (url) => {
        asked.push(String(url))
        const { pathname, searchParams } = new URL(String(url), 'http://x')
        if (pathname === '/v1/things') {
          return Promise.resolve(Response.json({ items: whole, next_page: 'more' }))
        }
        if (searchParams.get('limit') === '1') {
          return Promise.resolve(Response.json({ ...pages[0], items: [whole[0]] }))
        }
        return Promise.resolve(Response.json(pages[searchParams.get('page_token') ? 1 : 0]))
      },
    })
    rows = whole
    const user = userEvent.setup()
    await show({ ...things, found })
    await screen.findByText('Total: about 12,000')
    asked = []
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'far')
    // The first page that the server looks through has none of them.
    await waitFor(() =>
      expect(asked.slice(-2)).toEqual([
        '/experimental/v1/lists/things?project=web&q=far&limit=50&total=true',
        '/experimental/v1/lists/things?limit=50&page_token=second',
      ]),
    )
    await screen.findByText('far-1')
    expect(names()).toEqual(['far-1'])
    screen.getByText('Total: 1')
  })

  it('turns to the last page of a longer list, on from there, and back to the first one', async () => {
    const all = Array.from(
      { length: 120 },
      (_, index) => `thing-${String(index + 1).padStart(3, '0')}`,
    )
    const found: Operation<FoundData, FoundPage<Thing>> = {
      name: 'thingSearch',
      method: 'GET',
      path: '/experimental/v1/lists/things',
    }
    configureTransport({
      host: '',
      fetch: (url) => {
        asked.push(String(url))
        const { searchParams } = new URL(String(url), 'http://x')
        const of = (name: string) => searchParams.get(name) ?? ''
        const sorted = of('sort_by') === 'name_descending' ? all.toReversed() : all
        const matching = sorted.filter((name) => name.includes(of('q')))
        const start = Number(of('page_token'))
        const items = matching.slice(start, start + Number(of('limit')))
        return Promise.resolve(
          Response.json({
            items: items.map((name) => ({ id: name, name })),
            next_page: items.length > 0 ? String(start + items.length) : null,
            ...(of('total') && { total: { count: matching.length, is_exact: true } }),
          }),
        )
      },
    })
    rows = [{ id: 'thing-001', name: 'thing-001' }]
    const user = userEvent.setup()
    const press = (name: string) => user.click(screen.getByRole('button', { name }))
    const isDisabled = (name: string) =>
      screen.getByRole('button', { name }).ariaDisabled === 'true'
    await show({ ...things, found })
    await screen.findByText('Total: 120')
    expect([isDisabled('First page'), isDisabled('Last page')]).toEqual([true, false])

    asked = []
    await press('Last page')
    await screen.findByText('thing-120')
    expect(names()).toEqual(all.slice(70))
    expect(asked).toEqual(['/v1/things?project=web&limit=50&sort_by=name_descending'])
    expect([isDisabled('next'), isDisabled('Last page')]).toEqual([true, true])
    screen.getByText('Total: 120')

    await press('prev')
    await screen.findByText('thing-070')
    expect(names()).toEqual(all.slice(20, 70))
    await press('next')
    await screen.findByText('thing-120')
    await press('First page')
    await screen.findByText('thing-001')
    expect(names()).toEqual(all.slice(0, 50))
    expect([isDisabled('First page'), isDisabled('prev')]).toEqual([true, true])

    // Where something is searched for, the end is that of what was found.
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'thing-0')
    await screen.findByText('Total: 99')
    asked = []
    await press('Last page')
    await screen.findByText('thing-099')
    expect(names()).toEqual(all.slice(49, 99))
    expect(asked).toEqual([
      '/experimental/v1/lists/things?project=web&q=thing-0&limit=50&total=true&sort_by=name_descending',
    ])
    await press('First page')
    await screen.findByText('thing-001')
  })
})
