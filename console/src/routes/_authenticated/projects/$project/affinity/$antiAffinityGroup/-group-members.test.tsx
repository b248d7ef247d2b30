import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { currentUserView } from '~/api/generated/operations'
import type {
  AntiAffinityGroup,
  AntiAffinityGroupMember,
  CurrentUser,
  Instance,
} from '~/api/generated/types.gen'
import { q } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { addMemberRefusal, GroupMembers } from './-group-members'

const instance = (name: string, runState: string) =>
  ({ id: `id-of-${name}`, name, runState }) as Instance

const member = ({ id, name, runState }: Instance): AntiAffinityGroupMember => ({
  type: 'instance',
  value: { id, name, runState },
})

const group = { id: 'g', name: 'database' } as AntiAffinityGroup

let calls: string[] = []
let refusal: string | undefined

beforeEach(() => {
  calls = []
  refusal = undefined
  clearToasts()
  configureTransport({
    fetch: async (url, init) => {
      calls.push(`${init.method} ${url}`)
      if (refusal) return Response.json({ message: refusal }, { status: 400 })
      return init.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({})
    },
  })
})

function show(members: Instance[], instances: Instance[]) {
  render(
    <QueryClientProvider client={queryClient}>
      <GroupMembers
        project="web"
        group={group}
        members={members.map(member)}
        instances={instances}
      />
      <ConfirmHost />
      <ToastStack />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const db = instance('db', 'running')
const web = instance('web', 'stopped')
const cache = instance('cache', 'running')

const toasts = () => screen.getByTestId('Toasts').textContent

const submitButton = () => screen.getByRole('button', { name: 'Add to group' })

async function choose(user: ReturnType<typeof userEvent.setup>, name: string) {
  const input = screen.getByRole('combobox', { name: 'Instance' })
  await user.clear(input)
  await user.type(input, name)
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }))
}

describe('addMemberRefusal', () => {
  it('says why nothing can be added', () => {
    expect(addMemberRefusal(32, 40, 8)).toBe('Maximum number of members reached')
    expect(addMemberRefusal(0, 0, 0)).toBe('No instances available')
    expect(addMemberRefusal(2, 2, 0)).toBe('All instances are already in this group')
    expect(addMemberRefusal(31, 40, 9)).toBeUndefined()
  })
})

describe('GroupMembers', () => {
  it('adds an instance only while it is stopped', async () => {
    const user = show([db], [db, web, cache])
    await user.click(screen.getByRole('button', { name: 'Add instance' }))
    await screen.findByText('An instance must be stopped to add it to a group')
    expect(submitButton().getAttribute('aria-disabled')).toBe('true')
    await choose(user, 'cache')
    expect(submitButton().getAttribute('aria-disabled')).toBe('true')
    await choose(user, 'web')
    await waitFor(() => expect(submitButton().getAttribute('aria-disabled')).toBeNull())
    expect(screen.queryByRole('option', { name: /^db/ })).toBeNull()
    await user.click(submitButton())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls).toEqual([
      'POST /v1/anti-affinity-groups/database/members/instance/web?project=web',
    ])
    expect(toasts()).toContain('Instance web added to anti-affinity group database')
  })

  it('says in a toast why an instance could not be added', async () => {
    refusal = 'no room'
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const user = show([], [web])
    expect(screen.getByText('No group members')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Add instance' }))
    await screen.findByRole('dialog')
    await choose(user, 'web')
    await user.click(submitButton())
    await waitFor(() => expect(toasts()).toContain('Failed to add instance to group'))
    expect(toasts()).toContain('No room')
  })

  it('offers to stop an instance that has to be stopped', async () => {
    refusal = 'instance must be stopped to join a group'
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    queryClient.setQueryData(q(currentUserView, {}).queryKey, {
      id: 'ada',
      siloName: 'home',
    } as CurrentUser)
    const user = show([], [web])
    await user.click(screen.getByRole('button', { name: 'Add instance' }))
    await screen.findByRole('dialog')
    await choose(user, 'web')
    await user.click(submitButton())
    const notes = within(screen.getByTestId('Toasts'))
    await notes.findByRole('button', { name: 'Stop instance' })
    queryClient.clear()
  })

  it('removes a member in any state, after a question', async () => {
    const user = show([db], [db])
    await user.click(screen.getByRole('button', { name: 'Row actions' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual(['Remove from group'])
    await user.click(screen.getByRole('menuitem', { name: 'Remove from group' }))
    await screen.findByRole('alertdialog', { name: 'Remove instance from anti-affinity group' })
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(toasts()).toContain('Member db removed'))
    expect(calls).toEqual([
      'DELETE /v1/anti-affinity-groups/database/members/instance/db?project=web',
    ])
  })
})
