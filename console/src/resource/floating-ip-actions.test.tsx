import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { FloatingIp } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { floatingIpActions } from './floating-ip-actions'

const free = { id: 'f', name: 'front', ip: '10.0.0.2' } as FloatingIp
const attached = { ...free, instanceId: 'i' }
const openAttach = vi.fn()

const actions = (floatingIp: FloatingIp, instance?: string) =>
  floatingIpActions(floatingIp, { project: 'web', instance, openAttach })
const action = (floatingIp: FloatingIp, label: string, instance?: string) =>
  actions(floatingIp, instance).find((each) => each.label === label)

const answer = vi.fn<typeof fetch>()
const toasts = () => screen.getByTestId('Toasts').textContent

beforeEach(() => {
  clearToasts()
  answer.mockReset().mockImplementation(async () => Response.json({ parts: [] }))
  configureTransport({ fetch: (url, init) => answer(url, init) })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
})

const confirmed = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
}

describe('the actions of a floating IP', () => {
  it('attach one that is free, and detach one that is not before it can be deleted', () => {
    expect(actions(free).map(({ label }) => label)).toEqual([
      'Edit',
      'Edit labels',
      'Attach',
      'Activity',
      'Show as code',
      'Delete',
    ])
    expect(actions(attached).map(({ label }) => label)).toEqual([
      'Edit',
      'Edit labels',
      'Detach',
      'Activity',
      'Show as code',
      'Delete',
    ])
    expect(action(free, 'Delete')?.disabledReason).toBeUndefined()
    expect(action(attached, 'Delete')?.disabledReason).toBe(
      'This floating IP must be detached from the instance before it can be deleted',
    )
    action(free, 'Attach')?.perform?.()
    expect(openAttach).toHaveBeenCalledWith(free)
  })

  it('detach it after a question that names address and instance', async () => {
    action(attached, 'Detach', 'db')?.perform?.()
    const question = await screen.findByRole('alertdialog', { name: 'Detach Floating IP' })
    expect(question.textContent).toContain('front (10.0.0.2) from db?')
    await confirmed()
    expect(answer).toHaveBeenCalledWith(
      '/v1/floating-ips/front/detach?project=web',
      expect.objectContaining({ method: 'POST' }),
    )
    expect(toasts()).toContain('Floating IP front detached')
  })

  it('say once why it could not be detached', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    answer.mockResolvedValue(Response.json({ message: 'not now' }, { status: 400 }))
    action(attached, 'Detach')?.perform?.()
    await confirmed()
    expect(screen.getAllByRole('button', { name: 'Dismiss notification' })).toHaveLength(1)
    expect(toasts()).toContain('Error detaching floating IP')
  })

  it('delete it after a question', async () => {
    action(free, 'Delete')?.perform?.()
    await screen.findByRole('alertdialog', { name: 'Confirm delete' })
    await confirmed()
    expect(answer).toHaveBeenCalledWith(
      '/v1/floating-ips/front?project=web',
      expect.objectContaining({ method: 'DELETE' }),
    )
    expect(toasts()).toContain('Floating IP front deleted')
  })
})
