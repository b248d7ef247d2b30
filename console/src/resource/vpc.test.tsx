import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { Vpc } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { vpcActions } from './vpc'

const vpc = { id: 'v', name: 'prod' } as Vpc

/** Deletes the VPC and confirms it; answers the requests made. */
async function deleted(answer: () => Response, leave?: () => Promise<unknown>) {
  clearToasts()
  const fetch = vi.fn(async (_: string, { method }: RequestInit) =>
    method === 'DELETE' ? answer() : Response.json({ parts: [] }),
  )
  configureTransport({ fetch })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
  vpcActions(vpc, 'web', leave)
    .find(({ label }) => label === 'Delete')
    ?.perform?.()
  expect((await screen.findByRole('alertdialog')).textContent).toContain(
    'Are you sure you want to delete prod?',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  return fetch
}

describe('the actions of a VPC', () => {
  it('edit it over its own page', () => {
    expect(vpcActions(vpc, 'web').map(({ label, href }) => [label, href])).toEqual([
      ['Edit', '/projects/web/vpcs/prod/edit'],
      ['Edit labels', undefined],
      ['Activity', '/projects/web/vpcs/prod/activity'],
      ['Show as code', undefined],
      ['Delete', undefined],
    ])
  })

  it('delete it, leave its page and say so', async () => {
    const leave = vi.fn(async () => undefined)
    const fetch = await deleted(() => new Response(null, { status: 204 }), leave)
    expect(fetch).toHaveBeenCalledWith(
      '/v1/vpcs/prod?project=web',
      expect.objectContaining({ method: 'DELETE' }),
    )
    expect(leave).toHaveBeenCalledOnce()
    expect(screen.getByTestId('Toasts').textContent).toContain('VPC prod deleted')
  })

  it('stay when it cannot be deleted', async () => {
    const leave = vi.fn(async () => undefined)
    const message = 'VPC cannot be deleted while VPC Subnets exist'
    await deleted(() => Response.json({ message }, { status: 400 }), leave)
    expect(leave).not.toHaveBeenCalled()
    expect(screen.getByTestId('Toasts').textContent).toContain(message)
    expect(screen.getByTestId('Toasts').textContent).toContain('Could not delete resource')
  })
})
