import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { RightsOn } from '~/app/rights-on'
import { loadSession } from '~/app/session'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { AccessPage } from './access-page'
import { loadAccess } from './access-queries'
import { useProjectAccess, useSiloAccess } from './use-access'

const person = (id: string, display_name: string) => ({ id, display_name, silo_id: 'silo' })
const hannah = person('hannah-id', 'Hannah Arendt')
const hans = person('hans-id', 'Hans Jonas')
const web = person('web-id', 'web-devs')

const role = (identity_id: string, role_name: string, identity_type = 'silo_user') => ({
  identity_id,
  identity_type,
  role_name,
})

let silo: object[] = []
let project: object[] = []
let requests: string[] = []
/** The operations that Hannah may not ask for. */
let refused: string[] = []

/** What the server says of Hannah's rights: what it refuses takes an admin. */
function permissions(on: string | null) {
  const operations: Record<string, string[]> = {
    silo: ['policy_update'],
    project: ['project_policy_update'],
    user: ['user_session_list', 'user_logout', 'view_as_begin'],
  }
  const known = operations[on ?? ''] ?? []
  const roles = [{ on: on === 'project' ? 'project' : 'silo', role: 'admin' }]
  return {
    allowed: known.filter((operation) => !refused.includes(operation)),
    refused: known
      .filter((operation) => refused.includes(operation))
      .map((operation) => ({ operation, roles })),
    administrators: [
      {
        on: 'silo',
        total: 1,
        first: [{ identity_type: 'silo_user', display_name: 'Hannah', id: hannah.id }],
      },
    ],
  }
}

/** Hannah is signed in. */
async function answer(url: string, init: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(url, 'http://cloud')
  requests.push(`${init.method} ${pathname}`)
  const policy = () =>
    (JSON.parse(String(init.body)) as { role_assignments: object[] }).role_assignments
  const page = (items: object[]) => Response.json({ items, next_page: null })
  if (init.method === 'PUT' && pathname === '/v1/policy') silo = policy()
  if (init.method === 'PUT' && pathname === '/v1/projects/shop/policy') project = policy()
  switch (pathname) {
    case '/v1/me':
      return Response.json({ ...hannah, silo_name: 'maze-war' })
    case '/v1/me/groups':
      return page([])
    case '/experimental/v1/me/permissions':
      return Response.json(permissions(searchParams.get('on')))
    case '/experimental/v1/view-as':
      return Response.json({ viewing: null })
    case '/v1/policy':
      return Response.json({ role_assignments: silo })
    case '/v1/projects/shop/policy':
      return Response.json({ role_assignments: project })
    case '/v1/users':
      return page(searchParams.has('group') ? [] : [hans, hannah])
    case '/v1/groups':
      return page([web])
    case '/v1/users/hans-id/sessions':
      return page([])
    case '/v1/users/late-id':
      return Response.json({ error_code: 'ObjectNotFound', message: 'not found' }, { status: 404 })
    case '/v1/users/hans-id/access-tokens':
      return page([])
    default:
      throw new Error(`unexpected call of ${pathname}`)
  }
}

beforeEach(() => {
  queryClient.clear()
  clearToasts()
  requests = []
  refused = []
  silo = [role(hannah.id, 'admin'), role(hans.id, 'viewer')]
  project = []
  configureTransport({ fetch: answer })
})

const shop = { kind: 'project', project: 'shop' } as const
const SiloAccess = () => (
  <RightsOn object={{ on: 'silo' }}>
    <AccessPage scope={{ kind: 'silo' }} data={useSiloAccess()} />
  </RightsOn>
)
const ProjectAccess = () => (
  <RightsOn object={{ on: 'project', project: 'shop' }}>
    <AccessPage scope={shop} data={useProjectAccess('shop')} />
  </RightsOn>
)

async function show(scope: 'silo' | 'project') {
  const rootRoute = createRootRoute()
  const path = scope === 'silo' ? '/access' : '/projects/shop/access'
  const access = createRoute({
    getParentRoute: () => rootRoute,
    path,
    loader: () =>
      Promise.all([
        loadSession(queryClient),
        loadAccess(queryClient, scope === 'silo' ? { kind: 'silo' } : shop),
      ]),
    component: scope === 'silo' ? SiloAccess : ProjectAccess,
  })
  const projects = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects',
    component: () => <h1>Projects</h1>,
  })
  const router = createRouter({
    routeTree: rootRoute.addChildren([access, projects]),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
      <ConfirmHost />
      <ToastStack />
    </QueryClientProvider>,
  )
  await screen.findByRole('heading', { level: 1 })
  return userEvent.setup()
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })

async function openMenu(user: ReturnType<typeof userEvent.setup>, name: string) {
  await user.click(within(await row(name)).getByRole('button', { name: 'Row actions' }))
  return screen.findByRole('menu')
}

async function choose(user: ReturnType<typeof userEvent.setup>, name: string, action: string) {
  await user.click(within(await openMenu(user, name)).getByRole('menuitem', { name: action }))
}

describe('AccessPage', () => {
  it('adds to what the policy is by then, not to what was shown', async () => {
    const user = await show('silo')
    silo = [...silo, role('late-id', 'viewer')]
    await user.click(screen.getByRole('button', { name: 'Add user or group' }))
    await user.type(await screen.findByRole('combobox', { name: /User or group/ }), 'web')
    await user.click(await screen.findByRole('option', { name: /web-devs/ }))
    await user.click(screen.getByRole('button', { name: /^Role/ }))
    await user.click(await screen.findByRole('option', { name: 'Collaborator' }))
    await user.click(screen.getByRole('button', { name: 'Assign role' }))
    expect(await screen.findByText('Role assigned')).toBeTruthy()
    expect(silo).toEqual([
      role(hannah.id, 'admin'),
      role(hans.id, 'viewer'),
      role('late-id', 'viewer'),
      role(web.id, 'collaborator', 'silo_group'),
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await screen.findByText('Deleted')).toBeTruthy()
    expect(within(await row('web-devs')).getByText('silo.collaborator')).toBeTruthy()
  })

  it('names what somebody loses who takes away their own role', async () => {
    const user = await show('silo')
    await choose(user, 'Hannah', 'Delete')
    const question = await screen.findByRole('alertdialog', { name: 'Confirm delete' })
    expect(question.textContent).toContain('delete the admin role for Hannah Arendt?')
    expect(question.textContent).toContain('This removes your own access')
    expect(question.textContent).toContain('No admin would be left')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(requests.some((each) => each.startsWith('PUT'))).toBe(false)
  })

  it('asks nothing more than usual about somebody else', async () => {
    const user = await show('silo')
    await choose(user, 'Hans', 'Delete')
    const question = await screen.findByRole('alertdialog', { name: 'Confirm delete' })
    expect(question.textContent).not.toContain('your own access')
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Access removed')).toBeTruthy()
    expect(silo).toEqual([role(hannah.id, 'admin')])
  })

  it('asks before somebody makes their own role weaker', async () => {
    silo = [role(hannah.id, 'admin'), role(hans.id, 'admin')]
    const user = await show('silo')
    await choose(user, 'Hannah', 'Change role')
    await user.click(await screen.findByRole('button', { name: /Role/ }))
    await user.click(await screen.findByRole('option', { name: 'Viewer' }))
    await user.click(screen.getByRole('button', { name: 'Update role' }))
    const question = await screen.findByRole('alertdialog', { name: 'Confirm role change' })
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Role updated')).toBeTruthy()
    expect(silo).toEqual([role(hans.id, 'admin'), role(hannah.id, 'viewer')])
  })

  it('gives nothing to change to whom the server refuses it', async () => {
    refused = ['policy_update', 'user_session_list', 'view_as_begin']
    const user = await show('silo')
    const add = () => screen.getByRole('button', { name: 'Add user or group' })
    await waitFor(() => expect(add().getAttribute('aria-disabled')).toBe('true'))
    const menu = within(await openMenu(user, 'Hans'))
    const missing = 'You need the admin role on silo maze-war. Hannah can give it to you.'
    await waitFor(() =>
      expect(
        menu
          .getAllByRole('menuitem')
          .map((item) => [item.textContent, item.getAttribute('aria-disabled')]),
      ).toEqual([
        ['Copy ID', null],
        [`Change role${missing}`, 'true'],
        [`View sessions and tokens${missing}`, 'true'],
        ['Activity', null],
        [`View as${missing}`, 'true'],
        [`Delete${missing}`, 'true'],
      ]),
    )
  })

  it('shows the sessions of others, and refuses to end them to whom the server does', async () => {
    refused = ['user_logout']
    const user = await show('silo')
    await choose(user, 'Hans', 'View sessions and tokens')
    const panel = within(await screen.findByRole('dialog'))
    const end = () => panel.getByRole('button', { name: 'Sign out everywhere' })
    await waitFor(() => expect(end().getAttribute('aria-disabled')).toBe('true'))
    await user.click(end())
    expect(await screen.findByText(/^You need the admin role on silo maze-war/)).toBeTruthy()
  })

  it('leaves a project that one has no role on any more', async () => {
    silo = [role(hans.id, 'admin')]
    project = [role(hannah.id, 'admin')]
    const user = await show('project')
    expect((await row('Hans')).textContent).toContain('Silo role')
    await choose(user, 'Hannah', 'Delete')
    const question = await screen.findByRole('alertdialog', { name: 'Confirm delete' })
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByRole('heading', { name: 'Projects' })).toBeTruthy()
    expect(project).toEqual([])
  })

  it('does not change a role that comes from the silo', async () => {
    const user = await show('project')
    const items = within(await openMenu(user, 'Hans')).getAllByRole('menuitem')
    expect(items[1]?.textContent).toContain("You don't have permission to change this user's role")
    expect(items[3]?.textContent).toContain("You don't have permission to delete this user")
  })
})
