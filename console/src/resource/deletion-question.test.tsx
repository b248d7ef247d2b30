import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { projectDelete } from '~/api/generated/operations'
import { planned } from '~/api/planned-call'
import { queryClient } from '~/api/query-client'
import { loadSession } from '~/app/session'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { askToDelete } from './deletion'

interface Part {
  kind: string
  effect?: string
  names?: string[]
  count?: number
  along_with?: string
  can_go_along?: boolean
  refused?: string
}

const part = ({ kind, effect = 'prevents', names = [], refused, ...rest }: Part) => ({
  kind,
  effect,
  along_with: null,
  count: names.length,
  is_incomplete: false,
  can_go_along: effect === 'prevents' && refused === undefined,
  refused: refused === undefined ? 0 : 1,
  refusal: refused === undefined ? null : `${kind} "${names[0]}": ${refused}`,
  items: names.map((name, index) => ({
    id: `${kind}-${name}`,
    name,
    within: [{ kind: 'project', id: 'p', name: 'atlas' }],
    refusal: index === 0 ? (refused ?? null) : null,
  })),
  ...rest,
})

/** What the server says of the deletion of the project, or of an instance. */
let report: object | Response | Promise<Response>
const sent: { method: string; path: string; body: unknown }[] = []

const shown = (kind: string, refusal: string | null, ...parts: Part[]) => ({
  kind,
  id: 'p',
  name: 'atlas',
  refusal,
  parts: parts.map(part),
  revision: 'as shown',
})

const containsVpc = 'project to be deleted contains a vpc: default'
const containsInstance = 'project to be deleted contains an instance: db'
const network: Part[] = [
  { kind: 'vpc', names: ['default'] },
  { kind: 'vpc_subnet', effect: 'deleted', names: ['default'], along_with: 'vpc' },
]

async function answer(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(String(url instanceof Request ? url.url : url), 'http://croft.test')
  const method = init?.method ?? 'GET'
  if (pathname.startsWith('/experimental/v1/deletions/') && method === 'GET') {
    return report instanceof Response || report instanceof Promise ? report : Response.json(report)
  }
  if (method === 'GET') {
    return Response.json({
      id: 'me',
      display_name: 'Ada',
      silo_id: 's',
      silo_name: 'croft',
      allowed: [],
      refused: [],
      items: [],
    })
  }
  sent.push({ method, path: pathname, body: init?.body && JSON.parse(String(init.body)) })
  return new Response(null, { status: 204 })
}

beforeEach(async () => {
  configureTransport({ fetch: answer })
  await loadSession(queryClient)
  render(
    <QueryClientProvider client={queryClient}>
      <ConfirmHost />
      <ToastStack />
    </QueryClientProvider>,
  )
})

afterEach(() => {
  act(clearToasts)
  queryClient.clear()
  sent.length = 0
})

const question = () => screen.findByRole('alertdialog')
const isClosed = () => vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
const confirm = async () => userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
const askForProject = () =>
  act(() =>
    askToDelete({
      of: { kind: 'project', id: 'p' },
      label: 'atlas',
      send: planned(projectDelete, { path: { project: 'atlas' } }),
    }),
  )
const askForInstance = () =>
  act(() =>
    askToDelete({
      of: { kind: 'instance', id: 'i' },
      label: 'db',
      send: () => answer('/v1/instances/db', { method: 'DELETE' }),
    }),
  )

test('a project goes with its own network, if nothing else is in it', async () => {
  report = shown('project', containsVpc, ...network)
  askForProject()
  const dialog = await question()
  expect(await within(dialog).findByText(/^1 subnet/)).toBeTruthy()
  expect(screen.getByRole('checkbox', { name: 'Delete these too (2 in all)' })).toHaveProperty(
    'checked',
    true,
  )
  await confirm()
  await isClosed()
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/experimental/v1/deletions/project/p',
      body: { revision: 'as shown', also: ['vpc'] },
    },
  ])
})

test('what is in the way is listed, and goes along only if that is wanted', async () => {
  const instances: Part = { kind: 'instance', names: ['db', 'app'] }
  report = shown('project', containsInstance, instances, ...network)
  askForProject()
  const dialog = await question()
  const link = await within(dialog).findByRole('link', { name: 'app' })
  expect(link.getAttribute('href')).toBe('/projects/atlas/instances/app/storage')
  await confirm()
  await isClosed()
  const reason = /contains an instance: db\. Select what is to be deleted too/
  expect(await screen.findByText(reason)).toBeTruthy()
  expect(sent).toEqual([])

  askForProject()
  await question()
  await screen.findByRole('checkbox')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Delete these too (4 in all)' }))
  await confirm()
  await isClosed()
  expect(sent[0]?.body).toEqual({ revision: 'as shown', also: ['instance', 'vpc'] })
})

test('what cannot go along is said, with the reason, and nothing is offered', async () => {
  const refused = 'cannot delete instance: instance is running or has not yet fully stopped'
  report = shown('project', containsInstance, { kind: 'instance', names: ['db'], refused })
  askForProject()
  const dialog = await question()
  expect(await within(dialog).findByText(`Instance "db": ${refused}`)).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
  await confirm()
  await isClosed()
  expect(screen.getByTestId('Toasts').textContent).toContain(`Instance "db": ${refused}`)
  expect(sent).toEqual([])
})

test('what would only be detached stays, unless it is selected', async () => {
  const disks: Part = {
    kind: 'disk',
    effect: 'changed',
    names: ['boot', 'data'],
    can_go_along: true,
  }
  const rules: Part = { kind: 'vpc_firewall_rule', effect: 'kept', names: ['to-db'] }
  report = shown('instance', null, disks, rules)
  askForInstance()
  const dialog = await question()
  expect(await within(dialog).findByText(/Detached. The data is kept/)).toBeTruthy()
  expect(within(dialog).getByText(/match nothing afterwards/)).toBeTruthy()
  await confirm()
  await isClosed()
  expect(sent).toEqual([{ method: 'DELETE', path: '/v1/instances/db', body: undefined }])

  askForInstance()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Delete the 2 disks too' }))
  expect(screen.getByText(/cannot be recovered/)).toBeTruthy()
  await confirm()
  await isClosed()
  expect(sent[1]).toEqual({
    method: 'POST',
    path: '/experimental/v1/deletions/instance/i',
    body: { revision: 'as shown', also: ['disk'] },
  })
})

test('an answer that comes before the list waits for it', async () => {
  let arrive = (_: Response): void => undefined
  report = new Promise<Response>((resolve) => (arrive = resolve))
  askForProject()
  await question()
  await confirm()
  expect(sent).toEqual([])
  arrive(Response.json(shown('project', containsInstance, { kind: 'instance', names: ['db'] })))
  await isClosed()
  expect(screen.getByTestId('Toasts').textContent).toContain(
    'Project to be deleted contains an instance: db',
  )
  expect(sent).toEqual([])
})

test('without the list the thing is deleted alone', async () => {
  report = Response.json({ message: 'broken', request_id: 'r' }, { status: 500 })
  askForInstance()
  const dialog = await question()
  expect(await within(dialog).findByText(/Could not check what depends on it/)).toBeTruthy()
  await confirm()
  await isClosed()
  expect(sent).toEqual([{ method: 'DELETE', path: '/v1/instances/db', body: undefined }])
})

test('what goes along for several reasons is one line for each kind', async () => {
  const routes: Part = { kind: 'router_route', effect: 'deleted', names: ['default-v4'] }
  report = shown('vpc', null, routes, { ...routes, names: ['to-a', 'to-b'] })
  askForInstance()
  const dialog = await question()
  expect((await within(dialog).findByText(/^3 routes/)).textContent).toBe(
    '3 routes: default-v4, to-a, to-b',
  )
  await confirm()
  await isClosed()
})

test('more than three are folded, and those that are not shown are counted', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `d${index}`)
  const disks: Part = { kind: 'disk', effect: 'changed', names, count: 23, can_go_along: true }
  const images: Part = { kind: 'image', effect: 'kept', names: ['mine'], count: 2 }
  report = shown('instance', null, disks, images)
  askForInstance()
  const dialog = await question()
  const summary = await within(dialog).findByText(/^23 disks/)
  expect(summary.closest('details')?.open).toBe(false)
  expect(within(dialog).getByText('and 3 more')).toBeTruthy()
  expect(within(dialog).getByText('and 1 more that you may not see')).toBeTruthy()
})

test('what is sent is shown as code, with what is deleted along as it is chosen', async () => {
  const instances: Part = { kind: 'instance', names: ['db', 'app'] }
  report = shown('project', containsInstance, instances, ...network)
  askForProject()
  const dialog = await question()
  const choice = await within(dialog).findByRole('checkbox')
  await userEvent.click(within(dialog).getByText('Show as code'))
  const code = await within(dialog).findByRole('region', { name: 'Code' })
  expect(code.textContent).toContain('croft project delete')
  await userEvent.click(choice)
  await vi.waitFor(() => {
    expect(code.textContent).toContain('croft deletion create')
  })
  expect(code.textContent).toContain('"revision": "as shown"')
  expect(sent).toEqual([])
})
