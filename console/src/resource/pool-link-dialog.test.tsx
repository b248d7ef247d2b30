import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { ipPoolSiloList, siloList } from '~/api/generated/operations'
import { q } from '~/api/query'
import { queryClient } from '~/api/query-client'
import { clearToasts, ToastStack } from '~/ui/toast'

import { PoolLinkDialog } from './pool-link-dialog'

const silo = (name: string) => ({ id: `id-of-${name}`, name, description: '' })

let linked: string[] = []
let changes: Array<{ path: string; body: unknown }> = []
let refusal: string | undefined

async function answer(url: string, init: RequestInit): Promise<Response> {
  const { pathname } = new URL(url, 'http://cloud')
  const page = (items: object[]) => Response.json({ items, next_page: null })
  if (pathname === '/v1/system/silos') return page([silo('red'), silo('blue')])
  if (init.method === 'GET') return page(linked.map((name) => ({ silo_id: `id-of-${name}` })))
  changes.push({ path: pathname, body: JSON.parse(String(init.body)) })
  return refusal
    ? Response.json({ error_code: 'InvalidRequest', message: refusal }, { status: 400 })
    : Response.json({}, { status: 201 })
}

function LinkToEdge({ onDismiss }: { onDismiss: () => void }) {
  const all = useQuery(q(siloList, {}))
  const linked = useQuery(q(ipPoolSiloList, { path: { pool: 'edge' } }))
  return (
    <PoolLinkDialog
      links="silo"
      label="Silo"
      all={all}
      linked={linked}
      idOf={({ siloId }) => siloId}
      linkTo={(name) => ({ pool: 'edge', silo: name })}
      onDismiss={onDismiss}
    />
  )
}

function show() {
  const onDismiss = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <LinkToEdge onDismiss={onDismiss} />
      <ToastStack />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), onDismiss }
}

async function openChoices(user: ReturnType<typeof userEvent.setup>) {
  const field = screen.getByRole('combobox', { name: /Silo/ })
  await waitFor(() => expect(field.hasAttribute('disabled')).toBe(false))
  await user.click(field)
}

beforeEach(() => {
  queryClient.clear()
  clearToasts()
  linked = []
  changes = []
  refusal = undefined
  configureTransport({ fetch: answer })
})

it('offers what is not linked yet, and links it', async () => {
  linked = ['red']
  const { user, onDismiss } = show()
  await openChoices(user)
  expect(screen.queryByRole('option', { name: 'red' })).toBeNull()
  await user.click(await screen.findByRole('option', { name: 'blue' }))
  await user.click(screen.getByRole('button', { name: 'Link' }))
  await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
  expect(changes).toEqual([
    { path: '/v1/system/ip-pools/edge/silos', body: { silo: 'blue', is_default: false } },
  ])
})

it('says when nothing is left to link', async () => {
  linked = ['red', 'blue']
  const { user } = show()
  await openChoices(user)
  expect(await screen.findByText('No silos left to link')).toBeTruthy()
})

it('closes on a refusal, too, and says why', async () => {
  refusal = 'the pool is not for this silo'
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { user, onDismiss } = show()
  await openChoices(user)
  await user.click(await screen.findByRole('option', { name: 'red' }))
  await user.click(screen.getByRole('button', { name: 'Link' }))
  await waitFor(() => expect(onDismiss).toHaveBeenCalledOnce())
  const toasts = screen.getByTestId('Toasts').textContent
  expect(toasts).toContain('Could not link silo')
  expect(toasts).toContain('The pool is not for this silo')
})
