import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { RouterRoute, VpcRouter, VpcSubnet } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import type { Action } from '~/app/action-registry'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { routeActions } from './router-route-actions'
import { routerActions } from './vpc-router-actions'
import { subnetActions } from './vpc-subnet-actions'

const vpc = { project: 'web', vpc: 'main' }
const subnet = { id: 's-1', name: 'front' } as VpcSubnet
const router = (kind: VpcRouter['kind']) => ({ id: 'r-1', name: 'dc', kind }) as VpcRouter
const route = (kind: RouterRoute['kind']) => ({ id: 'w-1', name: 'drop-all', kind }) as RouterRoute

function answering() {
  clearToasts()
  const answer = vi.fn(async (_: string, { method }: RequestInit) =>
    method === 'DELETE'
      ? new Response(null, { status: 204 })
      : Response.json({ items: [], changes: [], is_complete: true, parts: [] }),
  )
  configureTransport({ fetch: answer })
  render(
    <QueryClientProvider client={queryClient}>
      <ConfirmHost />
      <ToastStack />
    </QueryClientProvider>,
  )
  return answer
}

const named = (actions: Action[], label: string) => actions.find((action) => action.label === label)

async function confirmed(actions: Action[]) {
  named(actions, 'Delete')?.perform?.()
  const question = await screen.findByRole('alertdialog')
  const text = question.textContent
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  return text
}

describe('a subnet', () => {
  it('is edited at its own address', () => {
    expect(named(subnetActions(subnet, vpc), 'Edit')?.href).toBe(
      '/projects/web/vpcs/main/subnets/front/edit',
    )
  })

  it('is deleted by its id, after a question', async () => {
    const answer = answering()
    expect(await confirmed(subnetActions(subnet, vpc))).toContain(
      'Are you sure you want to delete front?',
    )
    expect(answer).toHaveBeenCalledWith('/v1/vpc-subnets/s-1', expect.anything())
    expect(screen.getByTestId('Toasts').textContent).toContain('Subnet deleted')
  })
})

describe('a router', () => {
  it('of the system can be changed, but not deleted', () => {
    const actions = routerActions(router('system'), vpc)
    expect(named(actions, 'Edit')?.href).toBe('/projects/web/vpcs/main/routers/dc/edit')
    expect(named(actions, 'Delete')?.disabledReason).toBe('System routers cannot be deleted')
  })

  it('is deleted by name, with its routes', async () => {
    const answer = answering()
    expect(await confirmed(routerActions(router('custom'), vpc))).toContain(
      'This will also delete any routes belonging to this router.',
    )
    expect(answer).toHaveBeenCalledWith(
      '/v1/vpc-routers/dc?project=web&vpc=main',
      expect.objectContaining({ method: 'DELETE' }),
    )
    expect(screen.getByTestId('Toasts').textContent).toContain('Router dc deleted')
  })
})

describe('a route', () => {
  it('of a subnet stays as it is', () => {
    const edit = named(routeActions(route('vpc_subnet'), router('system'), vpc), 'Edit')
    expect(edit).toMatchObject({
      href: undefined,
      disabledReason: 'Routes of type VPC Subnet within the system router are not modifiable',
    })
  })

  it('of the system router can be edited, but not deleted', () => {
    const actions = routeActions(route('default'), router('system'), vpc)
    expect(named(actions, 'Edit')?.href).toBe(
      '/projects/web/vpcs/main/routers/dc/routes/drop-all/edit',
    )
    expect(named(actions, 'Delete')?.disabledReason).toBe('System routes cannot be deleted')
  })

  it('is removed by its id, after a question', async () => {
    const answer = answering()
    const text = await confirmed(routeActions(route('custom'), router('custom'), vpc))
    expect(text).toContain('Confirm remove route')
    expect(text).toContain('Are you sure you want to delete route drop-all?')
    expect(answer).toHaveBeenCalledWith('/v1/vpc-router-routes/w-1', expect.anything())
    expect(screen.getByTestId('Toasts').textContent).toContain('Route deleted')
  })
})
