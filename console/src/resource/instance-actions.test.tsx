import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Instance } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { instanceActions } from './instance-actions'
import type { InstanceRunState } from './instance-state'

const instance = (runState: InstanceRunState) => ({ id: 'id', name: 'db1', runState }) as Instance

const context = { project: 'web', openResize: vi.fn(), leaveDeleted: vi.fn(async () => {}) }

const actionsIn = (runState: InstanceRunState) => instanceActions(instance(runState), context)

/** Performs an action and confirms it against a server that answers every call alike. */
async function confirmed(label: string, runState: InstanceRunState, status: number, body: object) {
  clearToasts()
  const answer = vi.fn(async () => new Response(JSON.stringify(body), { status }))
  configureTransport({ fetch: answer })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
  actionsIn(runState)
    .find((action) => action.label === label)
    ?.perform?.()
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  return answer
}

describe('instanceActions', () => {
  it('keeps the order of the row menu', () => {
    expect(actionsIn('running').map(({ label }) => label)).toEqual([
      'Start',
      'Stop',
      'Reboot',
      'Resize',
      'Edit labels',
      'View serial console',
      'View graphical console',
      'Activity',
      'Show as code',
      'Delete',
    ])
  })

  it('gives reasons for what the state forbids, and never for the serial console', () => {
    const reasons = (runState: InstanceRunState) =>
      Object.fromEntries(actionsIn(runState).map((each) => [each.label, each.disabledReason]))
    expect(reasons('running')).toEqual({
      Start: 'Only stopped or failed instances can be started',
      Stop: undefined,
      Reboot: undefined,
      Resize: 'Only stopped, failed, or creating instances can be resized',
      'View serial console': undefined,
      'Show as code': undefined,
      Delete: 'Only stopped or failed instances can be deleted',
    })
    expect(reasons('stopped')).toMatchObject({
      Start: undefined,
      Stop: 'Only running instances can be stopped',
      Reboot: 'Only running instances can be rebooted',
      Delete: undefined,
    })
  })

  it('opens the resize dialog for the instance', () => {
    actionsIn('stopped')
      .find(({ label }) => label === 'Resize')
      ?.perform?.()
    expect(context.openResize).toHaveBeenCalledWith(instance('stopped'))
  })

  it('stops after a confirmation and says so', async () => {
    const answer = await confirmed('Stop', 'running', 202, instance('stopping'))
    expect(answer).toHaveBeenCalledWith(
      '/v1/instances/db1/stop?project=web',
      expect.objectContaining({ method: 'POST' }),
    )
    expect(screen.getByTestId('Toasts').textContent).toContain('Stopping instance db1')
  })

  it('leaves the page of a deleted instance before its data is asked for again', async () => {
    await confirmed('Delete', 'stopped', 200, { parts: [] })
    expect(context.leaveDeleted).toHaveBeenCalledOnce()
    expect(screen.getByTestId('Toasts').textContent).toContain('Deleting instance db1')
  })

  it('shows exactly one error when the server refuses', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const refusal = { request_id: 'r', message: 'no room', error_code: 'InsufficientCapacity' }
    await confirmed('Start', 'stopped', 507, refusal)
    expect(screen.getAllByRole('button', { name: 'Dismiss notification' })).toHaveLength(1)
    expect(screen.getByTestId('Toasts').textContent).toContain('Error starting db1')
    expect(screen.getByTestId('Toasts').textContent).toContain('No room')
  })
})
