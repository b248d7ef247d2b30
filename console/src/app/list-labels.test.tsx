import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Box } from 'lucide-react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { ResultsPage } from '~/api/list'
import type { Operation } from '~/api/operation'
import { queryClient } from '~/api/query-client'
import { labelsLabel } from '~/messages/label-menu'
import * as text from '~/messages/labels'

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

const found: Operation<FoundData, FoundPage<Thing>> = {
  name: 'thingSearch',
  method: 'GET',
  path: '/experimental/v1/lists/things',
}

const list = defineList({
  operation: thingList,
  params: (project: string) => ({ query: { project } }),
  title: 'Things',
  label: 'Things',
  icon: Box,
  empty: { title: 'No things' },
  labels: (project: string) => ({ kind: 'thing', project, path: `/projects/${project}/things` }),
})

const thing = (name: string): Thing => ({ id: `id-${name}`, name })
const all = ['a', 'b', 'c'].map(thing)
const labels = (id: string) => ({
  kind: 'thing',
  id,
  name: null,
  revision: 1,
  labels: [{ key: 'env', value: 'prod' }],
})

let asked: string[] = []
let rows: Thing[]
/** What the server answers, by the beginning of a path. The longest beginning counts. */
let answers: Record<string, (params: URLSearchParams) => unknown> = {}

async function show(shown: ListDefinition<string, ThingListData, Thing>, search: string) {
  function Things() {
    return (
      <ListScreen
        page={useList(shown, 'web')}
        columns={[
          { id: 'name', header: 'name', isName: true, cell: ({ name }) => name },
          { id: 'size', header: 'size', cell: () => '1' },
        ]}
      />
    )
  }
  renderScreen(Things, { path: '/', at: `/${search}` })
  await screen.findByRole('heading', { name: 'Things' })
  return userEvent.setup()
}

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent)

beforeEach(async () => {
  rows = all
  answers = {
    '/v1/': () => ({ id: 'ada', items: [], allowed: [], refused: [] }),
    '/v1/things': () => ({ items: rows }),
  }
  configureTransport({
    host: '',
    fetch: (url) => {
      asked.push(String(url))
      const { pathname, searchParams } = new URL(String(url), 'http://x')
      const [beginning = '/v1/'] = Object.keys(answers)
        .filter((each) => pathname.startsWith(each))
        .toSorted((one, other) => other.length - one.length)
      const answer = answers[beginning]?.(searchParams)
      return Promise.resolve(answer instanceof Response ? answer : Response.json(answer))
    },
  })
  await loadSession(queryClient)
  asked = []
  vi.spyOn(window, 'scrollTo').mockReturnValue()
})

afterEach(() => {
  queryClient.clear()
  localStorage.clear()
  window.history.replaceState(null, '', '/')
})

it('has the server filter a list by labels', async () => {
  answers['/experimental/v1/lists/things'] = (params) => ({
    items: params.get('label') === 'env=prod,tier' ? [all[1]] : all.slice(1),
    next_page: null,
    total: { count: 1, is_exact: true },
  })
  const user = await show({ ...list, found }, '?label=env%3Dprod,tier')
  await waitFor(() => expect(names()).toEqual(['b']))
  screen.getByText('Total: 1')
  const filters = await screen.findByRole('group', { name: text.filtersLabel })
  await user.click(
    within(filters).getByRole('button', { name: text.removeFilterLabel('env=prod') }),
  )
  await waitFor(() => expect(names()).toEqual(['b', 'c']))
  expect(asked.filter((url) => url.includes('/lists/'))).toEqual([
    '/experimental/v1/lists/things?project=web&label=env%3Dprod%2Ctier&limit=50&total=true',
    '/experimental/v1/lists/things?project=web&label=tier&limit=50&total=true',
  ])
  await user.click(within(filters).getByRole('button', { name: text.removeFilterLabel('tier') }))
  await waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
})

it('looks up what has the labels where the server does not filter the list', async () => {
  // The first page is short, and says that there is more.
  answers['/experimental/v1/labels'] = (params) =>
    params.get('page_token') ? { items: [labels('id-c')] } : { items: [], next_page: 'more' }
  const user = await show(list, '?label=env%3Dprod&q=c')
  await waitFor(() => expect(names()).toEqual(['c']))
  await user.clear(screen.getByRole('searchbox', { name: 'Search' }))
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'a')
  await screen.findByText('Nothing found')
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
  expect(screen.queryByRole('group', { name: text.filtersLabel })).toBeNull()
})

it.each([
  ['the server', { ...list, found }],
  ['the list', list],
])('says what %s cannot be filtered by', async (_, shown) => {
  const message = 'unsupported value for "label": "a b": a key must have letters'
  const refusal = () => Response.json({ message, request_id: 'r' }, { status: 400 })
  answers['/experimental/v1/'] = refusal
  const user = await show(shown, '?label=a%20b')
  await screen.findByText('Unsupported value for "label": "a b": a key must have letters')
  await user.click(screen.getByRole('button', { name: text.removeFilterLabel('a b') }))
  await waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
})

it('asks for the labels of all rows at once', async () => {
  answers['/experimental/v1/labels'] = () => ({ items: [labels('id-b')] })
  const user = await show(list, '')
  await user.click(await screen.findByRole('button', { name: 'View' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: labelsLabel }))
  await user.keyboard('{Escape}')
  const row = await screen.findByRole('row', { name: /^b/ })
  const chip = await within(row).findByRole('link', { name: text.showLabelledLabel('env=prod') })
  expect(chip.getAttribute('href')).toBe('/projects/web/things?label=env%3Dprod')
  expect(asked.filter((url) => url.includes('/labels'))).toEqual([
    '/experimental/v1/labels?kind=thing&project=web&ids=id-a%2Cid-b%2Cid-c',
  ])
})

it('groups rows by the values of a label, those without it last', async () => {
  rows = ['a', 'b', 'c', 'd'].map(thing)
  const values: Record<string, string> = { 'id-a': 'rack-10', 'id-b': 'rack-2', 'id-d': 'rack-10' }
  answers['/experimental/v1/labels'] = (params) => ({
    items:
      params.get('selector') === 'rack'
        ? Object.entries(values).map(([id, value]) => ({
            ...labels(id),
            labels: [
              { key: 'env', value: 'prod' },
              { key: 'rack', value },
            ],
          }))
        : [],
  })
  const user = await show(list, '?group=rack')
  await screen.findByRole('heading', { name: /rack-2/ })
  const groups = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(groups).toEqual(['rack=rack-21', 'rack=rack-102', 'Without rack1'])
  const table = screen.getByRole('table', { name: 'Things: rack=rack-10' })
  expect(within(table).getAllByRole('row')).toHaveLength(3)
  await user.click(screen.getByRole('button', { name: text.ungroupLabel }))
  await screen.findByRole('table', { name: 'Things' })
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
  expect(window.location.search).toBe('')
})
