import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Instance } from '~/api/generated/types.gen'
import { liveState, setLiveState } from '~/api/live/state'
import { queryClient } from '~/api/query-client'
import { createConsoleRouter } from '~/app/router'

const { rendered } = vi.hoisted(() => {
  // The chart library, which the route tree imports, asks for it.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
  // Documents without layout cannot scroll.
  Element.prototype.scrollTo = () => undefined
  return { rendered: [] as string[] }
})

// A cell that is rendered whenever its row is.
vi.mock('~/resource/instance-cells', async (original) => ({
  ...(await original<object>()),
  InstanceStateCell: ({ instance: { name, runState } }: { instance: Instance }) => {
    rendered.push(name)
    return <span>{runState}</span>
  },
}))

const names = Array.from({ length: 50 }, (_, index) => `web-${index + 1}`)

/** A server with 50 instances in one project, and its stream of events. */
class Server {
  instances = names.map((name) => ({
    id: `id-${name}`,
    name,
    memory: 2 ** 30,
    ncpus: 1,
    run_state: 'running',
    hostname: name,
    description: '',
    time_created: '2026-02-28T11:00:00Z',
    time_run_state_updated: '2026-02-28T11:00:00Z',
  }))
  lists = 0
  /** Paths of all requests. */
  requests: string[] = []
  /** The instances whose external addresses were asked for. */
  asked: string[] = []
  private stream?: ReadableStreamDefaultController<Uint8Array>

  fetch = (url: string, { signal }: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url, location.href)
    this.requests.push(pathname)
    if (pathname === '/experimental/v1/events') return Promise.resolve(this.open(signal))
    return Promise.resolve(Response.json(this.answer(pathname)))
  }

  private answer(pathname: string) {
    if (pathname === '/v1/instances') {
      this.lists += 1
      return { items: this.instances }
    }
    const ofInstance = /^\/v1\/instances\/(.*)\/external-ips$/.exec(pathname)
    if (ofInstance?.[1]) {
      this.asked.push(ofInstance[1])
      return { items: [{ kind: 'ephemeral', ip: '203.0.113.7', ip_pool_id: 'pool' }] }
    }
    const instance = this.instances.find(({ name }) => pathname === `/v1/instances/${name}`)
    if (instance) return instance
    if (pathname === '/v1/me') return { id: 'ada', display_name: 'Ada', silo_name: 'home' }
    if (pathname === '/v1/projects/web') return { id: 'id-web', name: 'web' }
    return { id: 'x', items: [], allowed: [], refused: [] }
  }

  private open(signal: AbortSignal | null | undefined) {
    return new Response(
      new ReadableStream({
        start: (controller) => {
          this.stream = controller
          signal?.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
  }

  /** Changes an instance, or nothing of it that a list shows, and says so. */
  change(name: string, fields: object = {}) {
    this.instances = this.instances.map((each) =>
      each.name === name ? { ...each, ...fields } : each,
    )
    this.tell({ kind: 'instance', id: `id-${name}` })
  }

  /** Says that something was changed, in this project unless in another. */
  tell(change: object) {
    const told = { parent: null, project: 'id-web', ...change }
    const event = `id: 1\nevent: change\ndata: ${JSON.stringify(told)}\n\n`
    this.stream?.enqueue(new TextEncoder().encode(event))
  }
}

let server: Server
let unmount: () => void

beforeEach(() => {
  server = new Server()
  configureTransport({ host: '', fetch: server.fetch })
  vi.spyOn(window, 'scrollTo').mockReturnValue()
  // As wide as in a browser, so that the columns are laid out.
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
})

/** Opens the list, as a link or a reload would. */
async function open(search = '') {
  rendered.length = 0
  setLiveState('starting')
  window.history.replaceState(null, '', `/projects/web/instances${search}`)
  const router = createConsoleRouter()
  await router.load()
  ;({ unmount } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  ))
  await screen.findByText('web-50')
  await vi.waitUntil(() => liveState() === 'live')
  return router
}

/** Gives the window another width, in pixels. */
function haveWindow(width: number) {
  vi.spyOn(window, 'innerWidth', 'get').mockReturnValue(width)
  act(() => void window.dispatchEvent(new Event('resize')))
}

/** Leaves the console. The browser keeps what it keeps. */
function leave() {
  unmount()
  queryClient.clear()
}

afterEach(() => {
  leave()
  localStorage.clear()
  vi.restoreAllMocks()
})

const row = (name: string) => document.querySelector(`[data-row="id-${name}"]`) as HTMLElement

/** What is rendered and fetched from here on. */
function since() {
  rendered.length = 0
  const before = server.lists
  return { rows: () => [...rendered], lists: () => server.lists - before }
}

it('fetches the list once and renders each row once', async () => {
  await open()
  expect(server.lists).toBe(1)
  expect(rendered).toEqual(names)
})

it('renders the row of an instance that was changed, and no other', async () => {
  await open()
  const counts = since()
  act(() => server.change('web-7', { run_state: 'stopped' }))
  await within(row('web-7')).findByText('stopped')
  expect(counts.lists()).toBe(1)
  expect(counts.rows()).toEqual(['web-7'])
})

it('renders no row when the list says the same as before', async () => {
  await open()
  const counts = since()
  act(() => server.change('web-7'))
  await waitFor(() => expect(counts.lists()).toBe(1))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(counts.rows()).toEqual([])
})

it('fetches nothing when something changes that it does not show', async () => {
  await open()
  await waitFor(() => expect(server.requests).toContain('/experimental/v1/batches'))
  const counts = since()
  server.requests = []
  act(() => {
    server.tell({ kind: 'disk', id: 'a-disk' })
    server.tell({ kind: 'instance', id: 'elsewhere', project: 'id-other' })
    // The tray shows batches. Once it has asked for them, whatever was told before has been taken in.
    server.tell({ kind: 'batch', id: 'a-batch' })
  })
  await waitFor(() => expect(server.requests).toContain('/experimental/v1/batches'))
  expect(server.requests).toEqual(['/experimental/v1/batches'])
  expect(counts.rows()).toEqual([])
})

/** What the tab key stops at in the table. */
const stops = () =>
  [...screen.getByRole('table').querySelectorAll<HTMLElement>('*')].filter(
    ({ tabIndex }) => tabIndex >= 0,
  )

it('renders no row when the keyboard moves, and makes the row with the focus the one stop', async () => {
  await open()
  const user = userEvent.setup()
  const counts = since()
  act(() => row('web-1').focus())
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(row('web-2'))
  expect(stops()).toEqual([row('web-2')])
  expect(counts.rows()).toEqual([])
})

it('renders no row when a menu opens', async () => {
  await open()
  const user = userEvent.setup()
  const counts = since()
  await user.click(within(row('web-3')).getByRole('button', { name: 'Row actions' }))
  await screen.findByRole('menuitem', { name: 'Copy ID' })
  expect(counts.rows()).toEqual([])
  expect(counts.lists()).toBe(0)
})

/** Those with a text: the column of the check boxes has none. */
const headers = () =>
  screen
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '')
const rowHeight = () => screen.getByRole('table').style.getPropertyValue('--row-height')

/** Opens the "View" menu and presses the key until an entry has the focus, then the other. */
async function chooseInView(role: string, entry: string, press: string) {
  const user = userEvent.setup()
  act(() => screen.getByRole('button', { name: 'View' }).focus())
  await user.keyboard('{Enter}')
  const wanted = await screen.findByRole(role, { name: entry })
  for (let presses = 0; presses < 16 && document.activeElement !== wanted; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await user.keyboard('{ArrowDown}')
  }
  expect(document.activeElement).toBe(wanted)
  await user.keyboard(press)
}

it('makes the rows lower without rendering or fetching one', async () => {
  await open()
  const counts = since()
  await chooseInView('menuitemradio', 'Compact', '{Enter}')
  await waitFor(() => expect(rowHeight()).toBe('var(--table-row-height-compact)'))
  expect(window.location.search).toBe('?density=compact')
  expect(counts.rows()).toEqual([])
  expect(counts.lists()).toBe(0)
})

it('hides a column, rendering each row once and fetching nothing', async () => {
  await open()
  expect(headers()).toEqual(['name', 'CPU', 'Memory', 'state', 'created', 'Actions'])
  const counts = since()
  await chooseInView('menuitemcheckbox', 'Memory', ' ')
  // The menu stays open, and what is behind it is out of reach meanwhile.
  expect(screen.getByRole('menuitemcheckbox', { name: 'Memory' }).ariaChecked).toBe('false')
  await userEvent.keyboard('{Escape}')
  expect(headers()).toEqual(['name', 'CPU', 'state', 'created', 'Actions'])
  expect(counts.rows()).toEqual(names)
  expect(counts.lists()).toBe(0)
  expect(stops()).toHaveLength(1)
})

it('shows a list as it was left, and says so in the URL', async () => {
  await open()
  await chooseInView('menuitemcheckbox', 'Created', ' ')
  const left = window.location.search
  expect(new URLSearchParams(left).get('columns')).toBe('name,cpu,memory,state')
  leave()
  await open()
  expect(headers()).toEqual(['name', 'CPU', 'Memory', 'state', 'Actions'])
  expect(window.location.search).toBe(left)
})

it('shows a list as a link says, which others do not keep', async () => {
  await open('?columns=name,state,nonsense&density=compact')
  expect(headers()).toEqual(['name', 'state', 'Actions'])
  expect(rowHeight()).toBe('var(--table-row-height-compact)')
  leave()
  await open()
  expect(headers()).toHaveLength(6)
  expect(rowHeight()).toBe('var(--table-row-height)')
})

it('leaves the URL alone as long as a list is shown as usual', async () => {
  await open('?columns=nonsense&density=huge')
  expect(headers()).toHaveLength(6)
  expect(window.location.search).toBe('')
  await chooseInView('menuitemradio', 'Compact', '{Enter}')
  await waitFor(() => expect(window.location.search).toBe('?density=compact'))
  await chooseInView('menuitemradio', 'Comfortable', '{Enter}')
  await waitFor(() => expect(window.location.search).toBe(''))
})

it('selects rows by keys, rendering those alone and fetching nothing', async () => {
  await open()
  const counts = since()
  act(() => row('web-1').focus())
  fireEvent.click(within(row('web-1')).getByRole('checkbox'))
  expect(counts.rows()).toEqual(['web-1'])
  fireEvent.keyDown(row('web-1'), { key: 'ArrowDown', shiftKey: true })
  expect(counts.rows()).toEqual(['web-1', 'web-2'])
  await screen.findByText('2 selected')
  fireEvent.keyDown(row('web-2'), { key: 'Escape' })
  expect(counts.rows()).toEqual(['web-1', 'web-2', 'web-1', 'web-2'])
  expect(screen.queryByText('2 selected')).toBeNull()
  fireEvent.keyDown(row('web-2'), { key: 'a', ctrlKey: true })
  await screen.findByText('50 selected')
  expect(counts.lists()).toBe(0)
})

it('offers in a row what the state of its instance allows', async () => {
  server.change('web-1', { run_state: 'stopped' })
  await open()
  const names = (role: string) =>
    within(row('web-1'))
      .queryAllByRole(role)
      .map(({ ariaLabel }) => ariaLabel)
  expect(names('button')).toEqual(['Start web-1', 'Row actions'])
  expect(within(row('web-2')).getByRole('button', { name: 'Stop web-2' })).toBeTruthy()
  expect(
    within(row('web-2'))
      .getByRole('link', { name: 'Serial console of web-2' })
      .getAttribute('href'),
  ).toBe('/projects/web/instances/web-2/serial-console')
  fireEvent.click(within(row('web-1')).getByRole('button', { name: 'Start web-1' }))
  const question = await screen.findByRole('alertdialog', { name: 'Confirm start instance' })
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
})

it('asks for the addresses of the rows that are on the screen, and of no others', async () => {
  const onScreen = 3
  let observed = 0
  class Observer {
    constructor(private readonly tell: (entries: object[]) => void) {}
    observe(target: Element) {
      observed += 1
      this.tell([{ target, isIntersecting: observed <= onScreen }])
    }
    unobserve() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  await open('?columns=name,state,externalIps')
  await waitFor(() => expect(observed).toBe(names.length))
  await waitFor(() => expect(screen.queryAllByText('203.0.113.7')).toHaveLength(onScreen))
  expect(server.asked).toEqual(names.slice(0, onScreen))
  expect(screen.getAllByRole('button', { name: 'Copy 203.0.113.7' })).toHaveLength(onScreen)
  const counts = since()
  act(() => server.change('web-2', { run_state: 'stopped' }))
  await within(row('web-2')).findByText('stopped')
  expect(counts.rows()).toEqual(['web-2'])
  expect(server.asked).toHaveLength(onScreen)
})

describe('the details beside the list', () => {
  const panel = () => document.querySelector<HTMLElement>('section[aria-label^="Details of"]')
  const panelOf = (name: string) =>
    waitFor(() => {
      expect(panel()?.ariaLabel).toBe(`Details of ${name}`)
      return panel() as HTMLElement
    })
  const inUrl = () => new URLSearchParams(window.location.search).get('details')

  it('follow the row that has the focus, and take it when asked again, rendering no other row', async () => {
    haveWindow(1920)
    await open('?columns=name,state')
    const user = userEvent.setup()
    const counts = since()
    act(() => row('web-3').focus())
    await user.keyboard('i')
    await panelOf('web-3')
    expect(document.activeElement).toBe(row('web-3'))
    expect(inUrl()).toBe('web-3')

    await user.keyboard('{ArrowDown}')
    const fourth = await panelOf('web-4')
    expect(document.activeElement).toBe(row('web-4'))
    expect(inUrl()).toBe('web-4')
    expect(await within(fourth).findByText('203.0.113.7')).toBeTruthy()

    await user.keyboard('i')
    expect(document.activeElement).toBe(fourth)
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(row('web-4'))
    expect(inUrl()).toBeNull()
    expect(panel()).toBeNull()
    // The panel itself shows the same cell.
    expect(new Set(counts.rows())).toEqual(new Set(['web-3', 'web-4']))
    expect(counts.lists()).toBe(0)
  })

  it('are closed by Escape from the list, which clears a selection before', async () => {
    haveWindow(1920)
    await open('?columns=name,state&details=web-2')
    await panelOf('web-2')
    const user = userEvent.setup()
    act(() => row('web-2').focus())
    await user.keyboard(' ')
    await screen.findByText('1 selected')
    await user.keyboard('{Escape}')
    expect(screen.queryByText('1 selected')).toBeNull()
    expect(await panelOf('web-2')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(panel()).toBeNull()
  })

  it('are offered while the window is wide enough', async () => {
    haveWindow(1799)
    await open('?columns=name,state&details=web-2')
    const button = () => row('web-2').querySelector('[data-row-details]')
    expect(button()).toBeNull()
    expect(panel()).toBeNull()
    haveWindow(1800)
    expect(button()).toBeTruthy()
    await panelOf('web-2')
    haveWindow(1799)
    expect(button()).toBeNull()
    expect(panel()).toBeNull()
  })
})

it('shows more columns as the window becomes wider', async () => {
  haveWindow(1440)
  await open()
  expect(headers()).toEqual(['name', 'CPU', 'Memory', 'state', 'created', 'Actions'])
  haveWindow(1920)
  expect(headers()).toContain('external IPs')
  haveWindow(1440)
  expect(headers()).not.toContain('external IPs')
  expect(window.location.search).toBe('')
})

it('leaves the URL of the next screen alone', async () => {
  const router = await open('?columns=name,state&density=compact')
  const left: string[] = []
  router.subscribe('onResolved', () => left.push(window.location.search))
  await act(() => router.navigate({ to: '/settings/profile' }))
  await screen.findByRole('heading', { name: 'Profile' })
  expect(left).toEqual([''])
  expect(window.location.search).toBe('')
})
