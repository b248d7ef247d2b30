import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import {
  snapshotList,
  snapshotView,
  supportBundleList,
  supportBundleView,
} from '~/api/generated/operations'
import { invalidate, q } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { beginWork } from '~/resource/begin-work'
import { clearToasts, ToastStack } from '~/ui/toast'

import { loadSession } from './session'
import { BACKGROUND_WORK_KEY } from './storage-keys'
import { Tray } from './tray'

/** Answers by path; what is missing is not found. */
let things: Record<string, object>

const missing = () => Response.json({ message: 'not found' }, { status: 404 })

const answer = (url: string): Promise<Response> => {
  const { pathname } = new URL(url, location.href)
  const path = pathname.replace('/experimental/v1', '')
  if (path === '/v1/me') return Promise.resolve(Response.json({ id: 'ada', silo_name: 'home' }))
  const thing = things[path]
  if (thing) return Promise.resolve(Response.json(thing))
  const isOne = /^\/v1\/(snapshots|disks)\/|\/support-bundles\//.test(path)
  return Promise.resolve(isOne ? missing() : Response.json({ items: [], allowed: [], refused: [] }))
}

const snapshot = (name: string, state: string) => ({
  id: `id-of-${name}`,
  name,
  state,
  size: 1,
  time_created: '2026-01-01T00:00:00Z',
})

/** The server tells of a change of snapshots and bundles. */
const change = (next: Record<string, object>) => {
  things = next
  return act(() => invalidate(snapshotView, snapshotList, supportBundleView, supportBundleList))
}

beforeEach(async () => {
  things = {}
  queryClient.clear()
  clearToasts()
  localStorage.clear()
  configureTransport({ host: '', fetch: answer })
  await loadSession(queryClient)
})

afterEach(() => queryClient.clear())

function open() {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <>
          <Tray />
          <ToastStack />
        </>
      ),
    }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const button = () => screen.queryByRole('button', { name: /^Background work/ })
const toasts = () => screen.getByTestId('Toasts')
const beginSnapshot = (name: string) =>
  act(() => beginWork({ kind: 'snapshot', id: `id-of-${name}`, name, project: 'web' }))
const fetchList = () =>
  act(async () => {
    await queryClient.fetchQuery(q(snapshotList, { query: { project: 'web' } }))
  })

it('shows what the person has begun, and says that it has ended', async () => {
  things = { '/v1/snapshots/id-of-one': snapshot('one', 'creating') }
  beginSnapshot('one')
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Background work, 1 in progress' }))
  const entry = await screen.findByRole('listitem', { name: 'Take snapshot one in web' })
  const link = within(entry).getByRole('link', { name: 'Open snapshot' })
  expect(link.getAttribute('href')).toBe('/projects/web/snapshots/one')
  await change({ '/v1/snapshots/id-of-one': snapshot('one', 'ready') })
  await within(toasts()).findByText('Snapshot one is ready')
  await screen.findByText('Nothing goes on at the moment.')
  expect(localStorage.getItem(BACKGROUND_WORK_KEY)).not.toContain('id-of-one')
})

it('shows what others do as a list says it, without a notification at its end', async () => {
  things = {
    '/v1/snapshots': { items: [snapshot('two', 'creating'), snapshot('old', 'ready')] },
    '/v1/snapshots/id-of-two': snapshot('two', 'creating'),
  }
  open()
  await screen.findByTestId('Toasts')
  await fetchList()
  await screen.findByRole('button', { name: 'Background work, 1 in progress' })
  await change({ '/v1/snapshots/id-of-two': snapshot('two', 'ready') })
  await waitFor(() => expect(button()).toBeNull())
  expect(toasts().textContent).toBe('')
})

it('leaves out what an upload makes on its way', async () => {
  things = { '/v1/snapshots': { items: [snapshot('tmp-snapshot-123', 'creating')] } }
  open()
  await screen.findByTestId('Toasts')
  await fetchList()
  expect(localStorage.getItem(BACKGROUND_WORK_KEY)).toBeNull()
  expect(button()).toBeNull()
})

it('follows other tabs, and forgets what is gone', async () => {
  things = { '/v1/snapshots/id-of-one': snapshot('one', 'creating') }
  open()
  await screen.findByTestId('Toasts')
  localStorage.setItem(
    BACKGROUND_WORK_KEY,
    JSON.stringify({
      person: 'ada',
      work: [{ kind: 'snapshot', id: 'id-of-one', name: 'one', project: 'web', isOwn: true }],
    }),
  )
  act(() => void window.dispatchEvent(new Event('storage')))
  await screen.findByRole('button', { name: 'Background work, 1 in progress' })
  await change({})
  await waitFor(() => expect(button()).toBeNull())
  expect(toasts().textContent).toBe('')
})

it('keeps what has failed, with the reason, until it is dismissed', async () => {
  const bundle = { id: 'id-of-bundle', reason_for_creation: 'asked', time_created: '2026-01-01' }
  const path = '/system/support-bundles/id-of-bundle'
  things = { [path]: { ...bundle, state: 'collecting' } }
  act(() => beginWork({ kind: 'support_bundle', id: 'id-of-bundle', name: 'id-of-bundle' }))
  const user = open()
  await screen.findByRole('button', { name: 'Background work, 1 in progress' })
  await change({ [path]: { ...bundle, state: 'failed', reason_for_failure: 'disk is full' } })
  await screen.findByRole('img', { name: 'Something has failed' })
  await user.click(await screen.findByRole('button', { name: 'Background work' }))
  const entry = await screen.findByRole('listitem', { name: /^Collect support bundle/ })
  expect(within(entry).getByRole('alert').textContent).toBe('disk is full')
  await user.click(within(entry).getByRole('button', { name: 'Dismiss' }))
  await screen.findByText('Nothing goes on at the moment.')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(button()).toBeNull())
})

it('keeps nothing of other people, and reads nothing that is no work', () => {
  localStorage.setItem(BACKGROUND_WORK_KEY, '{"person":"ada","work":[{"id":1},null,"x"]}')
  beginSnapshot('one')
  expect(JSON.parse(localStorage.getItem(BACKGROUND_WORK_KEY) ?? '')).toEqual({
    person: 'ada',
    work: [{ kind: 'snapshot', id: 'id-of-one', name: 'one', project: 'web', isOwn: true }],
  })
})
