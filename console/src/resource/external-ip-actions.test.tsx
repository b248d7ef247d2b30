import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { ExternalIp } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { externalIpActions } from './external-ip-actions'

const ephemeral: ExternalIp = { kind: 'ephemeral', ip: '10.0.0.1', ipPoolId: 'p' }
const floating = { kind: 'floating', id: 'f', name: 'front', ip: '10.0.0.2' } as ExternalIp
const snat: ExternalIp = {
  kind: 'snat',
  ip: '10.0.0.3',
  ipPoolId: 'p',
  firstPort: 0,
  lastPort: 16383,
}
const target = { project: 'web', instance: 'db' }

/** Detaches an address and confirms it. */
async function detached(ip: ExternalIp, status = 202, body: object = {}) {
  clearToasts()
  const answer = vi.fn(async () => new Response(JSON.stringify(body), { status }))
  configureTransport({ fetch: answer })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
  externalIpActions(ip, target)
    .find(({ label }) => label === 'Detach')
    ?.perform?.()
  await screen.findByText(`Confirm detach ${ip.kind} IP`)
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  return answer
}

describe('the actions of an external address', () => {
  it('copy every one, and keep source NAT where it is', () => {
    expect(externalIpActions(snat, target).map(({ label }) => label)).toEqual([
      'Copy IP address',
      'Detach',
    ])
    const reason = (ip: ExternalIp) => externalIpActions(ip, target)[1]?.disabledReason
    expect(reason(snat)).toBe("SNAT IPs can't be detached")
    expect(reason(floating)).toBeUndefined()
    expect(reason(ephemeral)).toBeUndefined()
  })

  it('detach a floating IP by its id', async () => {
    const answer = await detached(floating)
    expect(answer).toHaveBeenCalledWith(
      '/v1/floating-ips/f/detach',
      expect.objectContaining({ method: 'POST' }),
    )
    expect(screen.getByTestId('Toasts').textContent).toContain('Floating IP front detached')
  })

  it('detach the ephemeral IP of the instance', async () => {
    const answer = await detached(ephemeral)
    expect(answer).toHaveBeenCalledWith(
      '/v1/instances/db/external-ips/ephemeral?project=web',
      expect.objectContaining({ method: 'DELETE' }),
    )
    expect(screen.getByTestId('Toasts').textContent).toContain('Ephemeral IP detached')
  })

  it('show a refusal once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await detached(ephemeral, 400, { request_id: 'r', message: 'not now', error_code: 'X' })
    expect(screen.getAllByRole('button', { name: 'Dismiss notification' })).toHaveLength(1)
    expect(screen.getByTestId('Toasts').textContent).toContain('Error detaching ephemeral IP')
  })
})
