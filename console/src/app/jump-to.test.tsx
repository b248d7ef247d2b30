import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { ConfirmHost } from '~/ui/confirm'

import { useActions } from './action-registry'
import { JumpTo } from './jump-to'
import { rememberScreen } from './recent-screens'
import { loadSession } from './session'

const perform = vi.fn()

const offered = [
  { id: 'shop', label: 'shop', group: 'Go to project', href: '/projects/shop/instances' },
  { id: 'settings', label: 'Settings', group: 'User', href: '/settings/profile' },
]

function Screen() {
  useActions(offered)
  return (
    <>
      <JumpTo onClose={() => undefined} onPerform={perform} />
      <ConfirmHost />
    </>
  )
}

const place = (kind: string, name: string) => ({ kind, id: `id-of-${name}`, name })
const home = place('silo', 'home')

/** A result of a search, as the server answers. */
const result = (kind: string, name: string, rest: object = {}) => ({
  ...place(kind, name),
  within: [home, place('project', 'web')],
  matched: { rank: 'prefix', field: 'name', text: name },
  ...rest,
})

let asked: string[]
let answers: (query: URLSearchParams) => Response | Promise<Response>
let refused: string[]

beforeEach(async () => {
  queryClient.clear()
  localStorage.clear()
  perform.mockClear()
  asked = []
  refused = []
  answers = () => Response.json({ items: [] })
  configureTransport({
    fetch: (url) => {
      const { pathname, searchParams } = new URL(url, 'http://cloud')
      if (pathname === '/v1/me')
        return Promise.resolve(Response.json({ id: 'ada', silo_name: 'home' }))
      if (pathname === '/experimental/v1/search') {
        asked.push(String(searchParams))
        return Promise.resolve(answers(searchParams))
      }
      if (pathname === '/experimental/v1/me/projects') {
        return Promise.resolve(
          Response.json({ items: ['shop', 'web'].map((name) => place('project', name)) }),
        )
      }
      const roles = [{ on: 'project', role: 'collaborator' }]
      return Promise.resolve(
        Response.json({
          allowed: [],
          refused: refused.map((operation) => ({ operation, roles })),
          administrators: [],
        }),
      )
    },
  })
  await loadSession(queryClient)
})

async function open(path = '/settings/profile') {
  const router = createRouter({
    routeTree: createRootRoute({ component: Screen }),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('combobox', { name: 'Search' })
  return userEvent.setup()
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const group = (name: string) => screen.getByRole('group', { name })

it('leads to every project of the person, wherever they are, and to none twice', async () => {
  const user = await open()
  const web = await screen.findByRole('option', { name: 'web' })
  expect(options()).toEqual(['shop', 'web'])
  await user.click(web)
  expect(perform).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ href: '/projects/web/instances' }),
  )
})

it('offers what was opened before, with what contains it', async () => {
  rememberScreen('ada', { href: '/projects/web/disks', label: 'disks of web', containers: [] })
  rememberScreen('ada', { href: '/x', label: 'db1', containers: ['web'] })
  const user = await open()
  await screen.findByRole('option', { name: 'web' })
  expect(
    within(group('Recent'))
      .getAllByRole('option')
      .map((each) => each.textContent),
  ).toEqual(['db1web', 'disks of web'])
  await user.keyboard('db')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull())
})

it('offers nothing that somebody else has opened', async () => {
  rememberScreen('eve', { href: '/y', label: 'secret', containers: [] })
  await open()
  await screen.findByRole('option', { name: 'web' })
  expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
})

describe('what is typed', () => {
  it('finds resources of all projects, with why they were found', async () => {
    answers = () =>
      Response.json({
        items: [
          result('instance', 'db1', { state: 'running' }),
          result('disk', 'db1-data', {
            matched: { rank: 'text', field: 'description', text: 'Data of db1' },
          }),
          result('instance', 'elsewhere', {
            within: [place('silo', 'other'), place('project', 'web')],
          }),
        ],
      })
    const user = await open()
    await user.keyboard('db1')
    await screen.findByRole('option', { name: /db1-data/ })
    expect(asked).toEqual(['q=db1&limit=20'])
    expect(
      within(group('Instances'))
        .getAllByRole('option')
        .map((each) => each.textContent),
    ).toEqual([
      'db1webrunning',
      'elsewhereother / webIt is in another silo. Switch to a user of that silo to open it.',
    ])
    expect(screen.getByRole('option', { name: /db1-data/ }).textContent).toBe(
      'db1-dataweb · description: Data of db1',
    )
    await user.click(screen.getByRole('option', { name: /^db1web/ }))
    expect(perform).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ href: '/projects/web/instances/db1/storage' }),
    )
  })

  it('is asked once, after a pause, without what the screen offers already', async () => {
    answers = () => Response.json({ items: [result('project', 'shop', { within: [home] })] })
    const user = await open()
    await user.keyboard('shop')
    await screen.findByRole('option', { name: 'Show all results' })
    expect(asked).toEqual(['q=shop&limit=20'])
    expect(options()).toEqual(['shop', 'Show all results'])
    await user.click(screen.getByRole('option', { name: 'Show all results' }))
    expect(perform).toHaveBeenLastCalledWith(expect.objectContaining({ href: '/search?q=shop' }))
  })

  it('is narrowed down to a kind, and back', async () => {
    answers = (query) =>
      Response.json({
        items: [result('instance', 'db1', { state: 'running' }), result('disk', 'db2')].filter(
          ({ kind }) => [null, kind].includes(query.get('kind')),
        ),
      })
    const user = await open()
    await user.keyboard('db')
    await user.click(await screen.findByRole('button', { name: 'Disks' }))
    await waitFor(() => expect(options()).toEqual(['db2web', 'Show all results']))
    expect(asked.at(-1)).toBe('q=db&limit=20&kind=disk')
    await user.click(screen.getByRole('button', { name: 'All' }))
    await screen.findByRole('option', { name: /db1/ })
  })

  it('says that nothing was found only once that is known', async () => {
    let answer = (_: Response) => {}
    answers = () => new Promise((resolve) => (answer = resolve))
    const user = await open()
    await user.keyboard('zzz')
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(screen.queryByText('Nothing found')).toBeNull()
    answer(Response.json({ items: [] }))
    await screen.findByText('Nothing found')
  })

  it('can be searched for again after a failure', async () => {
    answers = () => Response.json({ message: 'no' }, { status: 400 })
    const user = await open()
    await user.keyboard('db1')
    const alert = await screen.findByRole('alert')
    answers = () => Response.json({ items: [result('instance', 'db1')] })
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    await screen.findByRole('option', { name: /db1/ })
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('a verb', () => {
  beforeEach(() => {
    answers = () =>
      Response.json({
        items: [
          result('instance', 'db1', { state: 'running' }),
          result('instance', 'db10', { state: 'stopped' }),
        ],
      })
  })

  it('stops the instance that is named, and says where that is not possible', async () => {
    const user = await open()
    await user.keyboard('stop db1')
    const [stop, other] = await screen.findAllByRole('option', { name: /^Stop db1/ })
    expect(asked).toEqual(['q=db1&limit=20&kind=instance'])
    expect(stop?.getAttribute('aria-disabled')).toBeNull()
    expect(other?.getAttribute('aria-disabled')).toBe('true')
    await user.keyboard('{Enter}')
    const [[action]] = perform.mock.calls as [[{ perform: () => void }]]
    action.perform()
    const question = await screen.findByRole('alertdialog', { name: 'Confirm stop instance' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  })

  it('is never done to what an earlier text has found', async () => {
    const user = await open()
    await user.keyboard('stop d')
    await screen.findByRole('option', { name: /^Stop db10/ })
    await user.keyboard('b1{Enter}')
    expect(perform).not.toHaveBeenCalled()
    await screen.findByRole('option', { name: /^Stop db10/ })
    expect(asked.at(-1)).toBe('q=db1&limit=20&kind=instance')
  })

  it('is refused to those who may not use it there', async () => {
    refused = ['instance_stop']
    const user = await open()
    await user.keyboard('stop db1')
    const [stop] = await screen.findAllByRole('option', { name: /^Stop db1/ })
    await waitFor(() => expect(stop?.textContent).toContain('collaborator role on project web'))
  })

  it('opens the form for something new in the project that is named', async () => {
    const user = await open()
    await user.keyboard('new disk in w')
    expect(await screen.findByRole('option', { name: 'New disk in web' })).toBeTruthy()
    expect(asked).toEqual([])
    await user.keyboard('{Enter}')
    expect(perform).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ href: '/projects/web/disks-new' }),
    )
  })

  it('takes the project of the screen when none is named', async () => {
    const user = await open('/projects/shop/disks')
    await user.keyboard('new vpc')
    await waitFor(() => expect(options()).toEqual(['New VPC in shop']))
  })
})
