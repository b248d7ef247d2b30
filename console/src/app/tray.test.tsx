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
import { batchItemList, batchList } from '~/api/generated/operations'
import { invalidate } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { createBatch } from '~/resource/batches'
import { clearToasts, ToastStack } from '~/ui/toast'

import { loadSession } from './session'
import { Tray } from './tray'

type Fields = Record<string, unknown>

const now = () => new Date().toISOString()

/** A server with batches of disks. */
class Server {
  batches: Fields[] = []
  items: Fields[] = []
  posted: { path: string; body: Fields }[] = []

  fetch = async (url: string, { method, body }: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url, location.href)
    const path = pathname.replace('/experimental/v1', '')
    if (path === '/v1/me') return Response.json({ id: 'ada', silo_name: 'home' })
    if (method === 'POST') {
      this.posted.push({ path, body: body ? JSON.parse(String(body)) : {} })
      if (path.endsWith('/retry')) this.change({ state: 'running', failed: 0 })
      if (path.endsWith('/cancel')) this.change({ state: 'canceled', canceled: 1, ...ended() })
      return Response.json(this.batches[0], { status: path === '/batches' ? 201 : 200 })
    }
    if (path === '/batches') return Response.json({ items: this.batches })
    if (path === '/search') return Response.json({ items: [found] })
    return Response.json({ items: this.items, allowed: [], refused: [] })
  }

  begin(fields: Fields = {}) {
    this.batches.unshift({
      id: `batch-${this.batches.length}`,
      operation: 'disk_delete',
      state: 'running',
      total: 3,
      succeeded: 1,
      failed: 0,
      canceled: 0,
      time_created: now(),
      ...fields,
    })
  }

  change(fields: Fields) {
    this.batches[0] = { ...this.batches[0], ...fields }
    return act(() => invalidate(batchList, batchItemList))
  }
}

const ended = () => ({ time_finished: now() })

const place = (kind: string, name: string) => ({ kind, id: `id-of-${name}`, name })
const found = {
  ...place('disk', 'two'),
  within: [place('silo', 'home'), place('project', 'web')],
  matched: { field: 'id', rank: 'exact', text: '' },
}

let server: Server

beforeEach(async () => {
  server = new Server()
  queryClient.clear()
  clearToasts()
  localStorage.clear()
  configureTransport({ host: '', fetch: server.fetch })
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
const toasts = () => screen.getByTestId('Toasts').textContent

it('is not there as long as there is nothing to show', async () => {
  server.begin({ state: 'succeeded', time_finished: '2020-01-01T00:00:00Z' })
  open()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await screen.findByTestId('Toasts')
  expect(button()).toBeNull()
})

it('counts what goes on, and says once how it has ended', async () => {
  server.begin()
  open()
  await screen.findByRole('button', { name: 'Background work, 1 in progress' })
  expect(screen.getByRole('status').textContent).toBe('1 task in progress')
  await server.change({ state: 'failed', succeeded: 2, failed: 1, ...ended() })
  await screen.findByText('Failed: 1 of 3')
  act(clearToasts)
  await server.change({ succeeded: 2 })
  expect(toasts()).toBe('')
  expect(button()?.textContent).toBe('')
  expect(screen.getByRole('img', { name: 'Something has failed' })).toBeTruthy()
})

it('says nothing of what had ended before', async () => {
  server.begin({ state: 'succeeded', succeeded: 3, ...ended() })
  open()
  await screen.findByRole('button', { name: 'Background work' })
  expect(toasts()).toBe('')
})

it('names the targets of a batch that was created here, and says that it has ended', async () => {
  server.begin({ state: 'failed', succeeded: 2, failed: 1, ...ended() })
  server.items = [
    { id: 'a', position: 0, target_id: 'id-of-one', state: 'succeeded' },
    {
      id: 'b',
      position: 1,
      target_id: 'id-of-two',
      state: 'failed',
      error: { http_status_code: 400, message: 'disk is attached' },
    },
  ]
  const target = (name: string) => ({
    kind: 'disk_delete' as const,
    name,
    targetId: `id-of-${name}`,
    project: 'web',
  })
  await createBatch('disk_delete', [target('one'), target('two')], {
    idempotencyKey: 'key',
    person: 'ada',
  })
  expect(server.posted[0]?.body).toEqual({
    operation: 'disk_delete',
    items: [{ target_id: 'id-of-one' }, { target_id: 'id-of-two' }],
    idempotency_key: 'key',
  })
  const user = open()
  await screen.findByText('Failed: 1 of 3')
  await user.click(await screen.findByRole('button', { name: 'Background work' }))
  const entry = await screen.findByRole('listitem', { name: 'Delete 3 disks in web' })
  await user.click(within(entry).getByRole('button', { name: 'Show results' }))
  const link = await within(entry).findByRole('link', { name: 'two' })
  expect(link.getAttribute('href')).toBe('/projects/web/disks/two')
  expect(within(entry).getByText('disk is attached')).toBeTruthy()
  expect(within(entry).queryByRole('link', { name: 'one' })).toBeNull()
  expect(within(entry).getByText('one')).toBeTruthy()
})

it('offers to put right what kept an item from being done', async () => {
  server.begin()
  const user = open()
  await screen.findByRole('button', { name: 'Background work, 1 in progress' })
  const message = 'disk cannot be deleted in state "attached"'
  server.items = [
    {
      id: 'b',
      position: 0,
      target_id: 'id-of-two',
      state: 'failed',
      error: { http_status_code: 400, error_code: 'InvalidRequest', message },
    },
  ]
  await server.change({ state: 'failed', succeeded: 2, failed: 1, ...ended() })
  const toast = within(screen.getByTestId('Toasts'))
  await toast.findByText(`id-of-two: ${message}`)
  await toast.findByRole('button', { name: 'Detach disk' })
  await user.click(await screen.findByRole('button', { name: 'Background work' }))
  const entry = await screen.findByRole('listitem', { name: 'Delete 3 disks' })
  await user.click(within(entry).getByRole('button', { name: 'Show results' }))
  await within(entry).findByRole('button', { name: 'Detach disk' })
})

it('looks up the targets of a batch of another browser', async () => {
  server.begin({ state: 'failed', total: 1, succeeded: 0, failed: 1, ...ended() })
  server.items = [{ id: 'b', position: 0, target_id: 'id-of-two', state: 'failed' }]
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Background work' }))
  const entry = await screen.findByRole('listitem', { name: 'Delete 1 disk' })
  await user.click(within(entry).getByRole('button', { name: 'Show results' }))
  const link = await within(entry).findByRole('link', { name: 'two' })
  expect(link.getAttribute('href')).toBe('/projects/web/disks/two')
})

it('cancels what is queued, and retries it', async () => {
  server.begin()
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Background work, 1 in progress' }))
  const entry = await screen.findByRole('listitem', { name: 'Delete 3 disks' })
  expect(within(entry).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('33')
  await user.click(within(entry).getByRole('button', { name: 'Cancel' }))
  await user.click(await within(entry).findByRole('button', { name: 'Retry' }))
  await within(entry).findByRole('button', { name: 'Cancel' })
  expect(server.posted.map(({ path }) => path)).toEqual([
    '/batches/batch-0/cancel',
    '/batches/batch-0/retry',
  ])
  await waitFor(() => expect(document.activeElement).toBe(entry))
})

it('hides what has ended for good', async () => {
  server.begin({ state: 'failed', succeeded: 2, failed: 1, ...ended() })
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Background work' }))
  await user.click(await screen.findByRole('button', { name: 'Clear finished' }))
  await screen.findByText('Nothing goes on at the moment.')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(button()).toBeNull())
  server.begin()
  await act(() => invalidate(batchList))
  await screen.findByRole('button', { name: 'Background work, 1 in progress' })
})
