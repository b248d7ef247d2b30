import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Box } from 'lucide-react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { ResultsPage } from '~/api/list'
import type { Operation } from '~/api/operation'
import { queryClient } from '~/api/query-client'
import type { Column } from '~/ui/table-column'

import { defineList, ListScreen, useList } from './list-screen'
import { loadSession } from './session'
import { renderScreen } from './test-router'
import type { FoundData, FoundPage } from './use-found'

interface Thing {
  id: string
  name: string
  state: string
  pool: string | null
}
interface ThingListData {
  query?: { limit?: number; pageToken?: string }
  url: string
}

const thingList: Operation<ThingListData, ResultsPage<Thing>> = {
  name: 'thingList',
  method: 'GET',
  path: '/v1/things',
}
const thingSearch: Operation<FoundData, FoundPage<Thing>> = {
  name: 'thingSearch',
  method: 'GET',
  path: '/v1/found',
}

const list = defineList({
  operation: thingList,
  found: thingSearch,
  params: () => ({}),
  title: 'Things',
  label: 'Things',
  icon: Box,
  empty: { title: 'No things' },
})

const columns: Column<Thing>[] = [
  { id: 'name', header: 'name', isName: true, value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'state',
    header: 'state',
    filter: { choices: ['on', 'off', 'odd'] },
    value: ({ state }) => state,
    cell: ({ state }) => state,
  },
  { id: 'pool', header: 'pool', filter: {}, value: ({ pool }) => pool, cell: ({ pool }) => pool },
]

const thing = (name: string, state: string, pool: string | null): Thing => ({
  id: `id-of-${name}`,
  name,
  state,
  pool,
})

let all: Thing[]
let asked: URL[] = []

beforeEach(async () => {
  all = [thing('a', 'on', 'blue'), thing('b', 'off', 'blue'), thing('c', 'on', null)]
  configureTransport({
    host: '',
    fetch: (address) => {
      const url = new URL(String(address), 'http://x')
      asked.push(url)
      const limit = Number(url.searchParams.get('limit'))
      const state = url.searchParams.get('state')
      const found = all.filter((each) => state === null || state === each.state)
      return Promise.resolve(
        Response.json({
          items: found.slice(0, limit),
          next_page: found.length > limit ? 'more' : null,
          total: { count: found.length, is_exact: true },
          id: 'ada',
          allowed: [],
          refused: [],
        }),
      )
    },
  })
  await loadSession(queryClient)
  asked = []
  vi.spyOn(window, 'scrollTo').mockReturnValue()
})

afterEach(() => queryClient.clear())

const Things = () => <ListScreen page={useList(list, undefined)} columns={columns} />

async function show(search = '') {
  renderScreen(Things, { path: '/things', at: `/things${search}` })
  await screen.findByRole('table')
  return userEvent.setup()
}

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent)

it('lists the columns, then the values of one with their counts, by the keyboard alone', async () => {
  const user = await show()
  screen.getByRole('button', { name: 'Add filter' }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(screen.getAllByRole('menuitem').map((each) => each.textContent)).toEqual([
      'State',
      'Pool',
    ]),
  )
  await user.keyboard('{ArrowDown}{Enter}')
  await screen.findByRole('menuitemcheckbox', { name: 'blue', description: '2' })
  expect(screen.getByRole('menuitem').textContent).toBe('Other columns')
  await user.keyboard('{ArrowDown}{ArrowDown} {Escape}')
  await waitFor(() => expect(names()).toEqual(['c']))
  const chip = await screen.findByRole('button', { name: 'Remove filter Pool: none' })
  chip.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(names()).toEqual(['a', 'b', 'c']))
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
})

it('goes back to the other columns', async () => {
  const user = await show()
  await user.click(screen.getByRole('button', { name: 'Add filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Pool' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Other columns' }))
  await user.click(await screen.findByRole('menuitem', { name: 'State' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'off' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual(['b']))
})

it('changes a filter from its chip, and moves the focus to the next one when it is removed', async () => {
  const user = await show('?filter=state:on;pool:blue')
  await waitFor(() => expect(names()).toEqual(['a']))
  await user.click(await screen.findByRole('button', { name: 'Change filter State: on' }))
  // Counted among what the other filter lets pass.
  await screen.findByRole('menuitemcheckbox', { name: 'on', description: '1' })
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'off' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual(['a', 'b']))
  await user.click(screen.getByRole('button', { name: 'Remove filter State: on, off' }))
  expect(document.activeElement).toBe(
    screen.getByRole('button', { name: 'Remove filter Pool: blue' }),
  )
})

it('loads a list of several pages for its values', async () => {
  all.push(...Array.from({ length: 60 }, (_, index) => thing(`d-${index}`, 'odd', 'red')))
  const user = await show()
  await user.click(screen.getByRole('button', { name: 'Add filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Pool' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'red', description: '60' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toHaveLength(60))
})

it('offers only what the server filters by where nobody has all rows', async () => {
  all.push(...Array.from({ length: 1200 }, (_, index) => thing(`d-${index}`, 'odd', 'red')))
  const user = await show()
  await user.click(screen.getByRole('button', { name: 'Add filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'State' }))
  expect(screen.queryByRole('menuitem', { name: 'Pool' })).toBeNull()
  const off = await screen.findByRole('menuitemcheckbox', { name: 'off', description: '' })
  await user.click(off)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(names()).toEqual(['b']))
  expect(asked.at(-1)?.searchParams.get('state')).toBe('off')
})
