import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Box } from 'lucide-react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { ResultsPage } from '~/api/list'
import type { Operation } from '~/api/operation'
import { queryClient } from '~/api/query-client'
import { ConfirmHost } from '~/ui/confirm'
import type { Column } from '~/ui/table-column'
import { clearToasts } from '~/ui/toast'

import { wholeView } from './list-look'
import { defineList, ListScreen, useList } from './list-screen'
import { viewNameProblem } from './saved-view-actions'
import { currentView } from './saved-views'
import type { SavedView } from './saved-views'
import { loadSession } from './session'
import { renderScreen } from './test-router'

interface Thing {
  id: string
  name: string
  size: number
}

const thingList: Operation<{ url: string }, ResultsPage<Thing>> = {
  name: 'thingList',
  method: 'GET',
  path: '/v1/things',
}

const things = defineList({
  operation: thingList,
  params: () => ({}),
  title: 'Things',
  label: 'Things',
  icon: Box,
  empty: { title: 'No things' },
})

const columns: Column<Thing>[] = [
  { id: 'name', header: 'name', isName: true, cell: ({ name }) => name },
  { id: 'size', header: 'size', value: ({ size }) => size, cell: ({ size }) => `${size} B` },
  {
    id: 'state',
    header: 'state',
    value: () => 'on',
    filter: { choices: ['on', 'off'] },
    cell: () => 'on',
  },
]

const Things = () => <ListScreen page={useList(things)} columns={columns} />

/** Opens the list of a project with the search parameters of a link. */
async function open(project = 'web', search = '') {
  cleanup()
  // A test's router has its own history, and lists write into the browser's.
  window.history.replaceState(null, '', `/projects/${project}/things${search}`)
  renderScreen(Things, {
    path: '/projects/$project/things',
    at: `/projects/${project}/things${search}`,
    beside: <ConfirmHost />,
  })
  await screen.findByText('thing-1')
}

/** The button of the menu, as soon as it says this. */
const button = (name: string) => screen.findByRole('button', { name })

/** Chooses an entry of the menu by keys alone. */
async function choose(entry: string, role = 'menuitem') {
  const user = userEvent.setup()
  screen.getByRole('button', { name: /^View/ }).focus()
  await user.keyboard('{Enter}')
  const wanted = await screen.findByRole(role, { name: entry })
  await user.keyboard('{Home}')
  for (let presses = 0; presses < 20 && document.activeElement !== wanted; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await user.keyboard('{ArrowDown}')
  }
  expect(document.activeElement).toBe(wanted)
  await user.keyboard('{Enter}')
  // The column's entries leave the menu open.
  if (role === 'menuitemcheckbox') await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
}

/** Enters a name into the dialog that asks for one. */
async function enter(name: string) {
  const user = userEvent.setup()
  const field = await screen.findByRole('textbox', { name: /Name/ })
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.clear(field)
  if (name) await user.type(field, name)
  await user.keyboard('{Enter}')
}

const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

beforeEach(async () => {
  configureTransport({
    host: '',
    fetch: (url) =>
      Promise.resolve(
        Response.json(
          String(url).startsWith('/v1/things')
            ? { items: [{ id: 't1', name: 'thing-1', size: 1 }] }
            : { id: 'ada', allowed: [], refused: [] },
        ),
      ),
  })
  await loadSession(queryClient)
  vi.spyOn(window, 'scrollTo').mockReturnValue()
})

afterEach(() => {
  clearToasts()
  queryClient.clear()
  localStorage.clear()
  window.history.replaceState(null, '', '/')
})

it('saves what is shown under a name, and says whether it is still shown', async () => {
  await open()
  await choose('Size', 'menuitemcheckbox')
  await choose('Save view…')
  await enter('Without size')
  const saved = await button('View: Without size')
  await waitFor(() => expect(document.activeElement).toBe(saved))
  expect(new URLSearchParams(window.location.search).get('saved')).toBe('Without size')

  await choose('Compact', 'menuitemradio')
  await button('View (changed): Without size')
  await choose('Update view')
  await button('View: Without size')

  // A list without parameters is shown as it was left, which is as saved.
  await open()
  await button('View: Without size')
  expect(headers()).toEqual(['name', 'state'])
})

it('shows a saved view again by one entry', async () => {
  await open('web', '?columns=name,size&sort=-size&q=thing&filter=state:on')
  await choose('Save view…')
  await enter('Big')
  await button('View: Big')
  localStorage.setItem('croft-lists-ada', '{}')
  await open()
  await button('View')
  expect(headers()).toEqual(['name', 'size', 'state'])

  await choose('Big', 'menuitemradio')
  await button('View: Big')
  expect(headers()).toEqual(['name', 'size↓'])
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('thing')
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({
    columns: 'name,size',
    sort: '-size',
    q: 'thing',
    filter: 'state:on',
    saved: 'Big',
  })
})

it('renames and deletes the view that is shown', async () => {
  await open()
  await choose('Save view…')
  await enter('One')
  await button('View: One')
  await choose('Rename view…')
  await enter('Two')
  const renamed = await button('View: Two')
  await waitFor(() => expect(document.activeElement).toBe(renamed))
  await choose('Delete view…')
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await button('View')
  expect(localStorage.getItem('croft-views-ada')).toBe('{}')
  expect(window.location.search).toBe('')
})

it('has the views of each project apart, and those of each list', async () => {
  await open('web')
  await choose('Save view…')
  await enter('Mine')
  await button('View: Mine')
  await open('db')
  await button('View')
  expect(Object.keys(JSON.parse(localStorage.getItem('croft-views-ada') ?? ''))).toEqual([
    'web thingList',
  ])
})

it('says what is wrong with a name', async () => {
  await open()
  await choose('Save view…')
  await enter('')
  await screen.findByText('Name is required')
  await enter('Mine')
  await button('View: Mine')
  await choose('Save view…')
  await enter(' mine ')
  await screen.findByText(/has this name. Choose another name/)
})

it('keeps the dialog open when the browser keeps nothing', async () => {
  await open()
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  await choose('Save view…')
  await enter('Mine')
  await screen.findByText(/The browser did not keep it/)
  full.mockRestore()
  await enter('Mine')
  await button('View: Mine')
})

it('offers no more than 50', async () => {
  const views = Array.from({ length: 50 }, (_, index) => ({
    name: `v${index}`,
    view: { columns: 'name', q: `${index}` },
  }))
  localStorage.setItem('croft-views-ada', JSON.stringify({ 'web thingList': views }))
  await open()
  await userEvent.click(await button('View'))
  const save = await screen.findByRole('menuitem', { name: 'Save view…' })
  expect(save.ariaDisabled).toBe('true')
  screen.getByRole('menuitem', { description: /Delete one to save another/ })
})

it('copies a link that shows the same to somebody who chose otherwise', async () => {
  await open('web', '?q=thing&pageToken=p')
  await choose('Copy link to view')
  const { pathname, search } = new URL(await navigator.clipboard.readText())
  expect(pathname).toBe('/projects/web/things')
  expect(search).toBe('?q=thing&columns=name%2Csize%2Cstate&density=comfortable&sort=')

  const other = { columns: 'name,state', density: 'compact', sort: 'name' }
  localStorage.setItem('croft-lists-ada', JSON.stringify({ thingList: other }))
  await open('web', search)
  expect(headers()).toEqual(['name', 'size', 'state'])
  await waitFor(() => expect(window.location.search).toBe('?q=thing'))
})

it('shows what it can of a view whose columns and filters are gone', async () => {
  const view = {
    columns: 'name,weight',
    density: 'compact',
    sort: 'weight',
    filter: 'state:on,gone;weight:1',
  }
  const views = [{ name: 'Old', view }, { name: 'No view' }, 'nonsense']
  localStorage.setItem('croft-views-ada', JSON.stringify({ 'web thingList': views }))
  await open()
  await choose('Old', 'menuitemradio')
  await button('View: Old')
  expect(headers()).toEqual(['name'])
  expect(new URLSearchParams(window.location.search).get('filter')).toBe('state:on')
})

describe('the view that is shown', () => {
  const kind = { id: 'kind', header: 'kind', choices: ['a', 'b'], cell: () => 'a' }
  const filtered = [...columns, kind]
  const views: SavedView[] = [
    { name: 'Usual', view: wholeView({}, filtered) },
    { name: 'Same', view: wholeView({}, filtered) },
    { name: 'Compact', view: wholeView({ density: 'compact' }, filtered) },
    { name: 'Filtered', view: wholeView({ filter: 'state:on,off;kind:a' }, filtered) },
  ]

  it.each([
    ['one that is just the same', {}, 'Usual', false],
    ['the chosen one of two that are the same', { saved: 'Same' }, 'Same', false],
    ['the chosen one, changed', { saved: 'Same', q: 'web' }, 'Same', true],
    ['another that is just the same', { saved: 'Same', density: 'compact' }, 'Compact', false],
    ['one with the same filters', { filter: 'kind:a;state:off,on' }, 'Filtered', false],
    ['none', { q: 'web' }, undefined, false],
    ['none that is gone', { saved: 'Gone', q: 'web' }, undefined, false],
  ] as const)('is %s', (_, view, name, isChanged) => {
    expect(currentView({ views }, view, filtered)).toEqual(name && { name, isChanged })
  })
})

it('takes names of 63 characters, whatever they are', () => {
  const others = [{ name: 'Mine', view: {} }]
  expect(viewNameProblem('🦀'.repeat(63), others)).toBeUndefined()
  expect(viewNameProblem('x'.repeat(64), others)).toMatch(/63/)
  expect(viewNameProblem('MINE', others)).toMatch(/this name/)
})
