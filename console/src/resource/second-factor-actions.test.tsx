import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { SecondFactor } from '~/api/generated/types.gen'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { removeSecondFactor, renewRecoveryCodes } from './second-factor-actions'

const factor = { id: 'factor-id', kind: 'totp', name: 'Phone' } as SecondFactor
const assign = vi.fn<(url: string) => void>()
let requests: string[] = []
let answer: () => Response

beforeEach(() => {
  requests = []
  configureTransport({
    fetch: async (url, init) => {
      requests.push(`${init.method} ${new URL(url, 'http://cloud').pathname}`)
      return answer()
    },
  })
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  assign.mockReset()
  act(clearToasts)
})

const refuse = (error_code: string, message: string) => {
  answer = () => Response.json({ error_code, message, request_id: 'r' }, { status: 403 })
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it.each([
  ['removing', 'Remove', () => removeSecondFactor(factor, { silo: 'acme', isLast: false })],
  ['new codes', 'Generate new codes', () => renewRecoveryCodes('acme', vi.fn())],
])('offers to sign in again when %s needs a recent sign-in', async (_, button, ask) => {
  refuse('SignInAgain', 'You signed in too long ago.')
  act(ask)
  await press(button)
  const question = await screen.findByRole('alertdialog', { name: 'Sign in again' })
  expect(question.textContent).toContain('You signed in too long ago.')
  expect(screen.getByTestId('Toasts').textContent).toBe('')
  expect(requests).toHaveLength(1)
  vi.stubGlobal('location', { assign, pathname: '/settings/sign-in' })
  await press('Sign in')
  await waitFor(() =>
    expect(assign).toHaveBeenCalledWith('/login/acme/local?redirect_uri=%2Fsettings%2Fsign-in'),
  )
})

it('reports every other refusal', async () => {
  refuse('Forbidden', 'Action not authorized')
  act(() => removeSecondFactor(factor, { silo: 'acme', isLast: true }))
  await press('Remove')
  await waitFor(() =>
    expect(screen.getByTestId('Toasts').textContent).toContain('Could not remove'),
  )
  expect(screen.queryByRole('alertdialog', { name: 'Sign in again' })).toBeNull()
})
