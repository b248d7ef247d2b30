import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Instance, InstanceNetworkInterface } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { networkInterfaceActions } from './network-interface-actions'

const nic = (primary: boolean) =>
  ({
    name: 'net1',
    description: '',
    primary,
    transitIps: ['10.0.0.0/8'],
  }) as InstanceNetworkInterface
const openEdit = vi.fn()

const actions = (runState: Instance['runState'], primary: boolean, count = 2) =>
  networkInterfaceActions(nic(primary), {
    project: 'web',
    instance: { name: 'db', runState } as Instance,
    count,
    openEdit,
  })
const reasons = (...args: Parameters<typeof actions>) =>
  actions(...args).map(({ disabledReason }) => disabledReason)

function answering(status: number, body: object) {
  clearToasts()
  const answer = vi.fn(async () => new Response(JSON.stringify(body), { status }))
  configureTransport({ fetch: answer })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
  return answer
}

const perform = (label: string) =>
  actions('stopped', false)
    .find((action) => action.label === label)
    ?.perform?.()

describe('the actions of a network interface', () => {
  it('say what stands in the way', () => {
    expect(reasons('running', false)).toEqual([
      'The instance must be stopped to change its primary network interface',
      "The instance must be stopped before editing a network interface's settings",
      undefined,
      undefined,
      'The instance must be stopped to delete a network interface',
    ])
    expect(reasons('stopped', true)).toEqual([
      'This network interface is already set as primary',
      undefined,
      undefined,
      undefined,
      'Another network interface must be made primary before this one can be deleted',
    ])
    expect(reasons('stopped', false)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('let the primary interface go when it is the only one', () => {
    expect(reasons('stopped', true, 1)[4]).toBeUndefined()
  })

  it('make it primary without losing what else it has', async () => {
    const answer = answering(200, {})
    perform('Make primary')
    await screen.findByText('net1')
    expect(answer).toHaveBeenCalledWith(
      '/v1/network-interfaces/net1?project=web&instance=db',
      expect.objectContaining({
        method: 'PUT',
        body: JSON.stringify({
          name: 'net1',
          description: '',
          transit_ips: ['10.0.0.0/8'],
          primary: true,
        }),
      }),
    )
    expect(screen.getByTestId('Toasts').textContent).toContain(
      'Network interface net1 made primary',
    )
  })

  it('show why it could not be made primary', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    answering(400, { request_id: 'r', message: 'not now', error_code: 'InvalidRequest' })
    perform('Make primary')
    await screen.findByText('Not now')
    expect(screen.getByText('Could not make network interface primary')).toBeDefined()
  })

  it('delete it after a question', async () => {
    const answer = answering(200, { parts: [] })
    perform('Delete')
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(answer).toHaveBeenCalledWith(
      '/v1/network-interfaces/net1?project=web&instance=db',
      expect.objectContaining({ method: 'DELETE' }),
    )
    expect(screen.getByTestId('Toasts').textContent).toContain('Network interface net1 deleted')
  })
})
