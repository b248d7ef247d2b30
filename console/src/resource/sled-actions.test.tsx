import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { SledPolicy } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { addSledAction, sledActions } from './sled-actions'

const baseboard = { part: 'P1', serial: 'S1', revision: 2 }
const open: SledPolicy = { kind: 'in_service', provisionPolicy: 'provisionable' }
const closed: SledPolicy = { kind: 'in_service', provisionPolicy: 'non_provisionable' }
const actionOf = (policy: SledPolicy) => sledActions({ id: 'sled-id', baseboard, policy })[0]

/** Does an action, confirms it, and gives what was sent. */
async function confirmed(perform: (() => void) | undefined, question: string, answer: object) {
  clearToasts()
  const send = vi.fn(async (_url: string, _init: RequestInit) => Response.json(answer))
  configureTransport({ host: '', fetch: send })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
  perform?.()
  await screen.findByText(question)
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  const [url, { method, body }] = send.mock.calls[0] ?? ['', {}]
  return { url, method, body: JSON.parse(String(body)) as unknown }
}

it('take a sled out of provisioning after a question', async () => {
  expect(actionOf(open)?.label).toBe('Stop provisioning')
  const answer = { new_state: 'non_provisionable', old_state: 'provisionable' }
  expect(await confirmed(actionOf(open)?.perform, 'Confirm stop provisioning', answer)).toEqual({
    url: '/v1/system/hardware/sleds/sled-id/provision-policy',
    method: 'PUT',
    body: { state: 'non_provisionable' },
  })
  expect(screen.getByTestId('Toasts').textContent).toContain('Sled S1 is now not provisionable')
})

it('bring it back', async () => {
  expect(actionOf(closed)?.label).toBe('Resume provisioning')
  const sent = await confirmed(actionOf(closed)?.perform, 'Confirm resume provisioning', {})
  expect(sent.body).toEqual({ state: 'provisionable' })
})

it('do nothing with one that was expunged', () => {
  expect(actionOf({ kind: 'expunged' })?.disabledReason).toBe(
    'An expunged sled cannot return to service',
  )
})

it('add one that was put into the rack', async () => {
  const { perform } = addSledAction({ baseboard, cubby: 3, rackId: 'r' })
  expect(await confirmed(perform, 'Confirm add sled', { id: 'new' })).toEqual({
    url: '/v1/system/hardware/sleds',
    method: 'POST',
    body: { part: 'P1', serial: 'S1' },
  })
  expect(screen.getByTestId('Toasts').textContent).toContain('Sled S1 added')
})
