import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { confirm, ConfirmHost } from '~/ui/confirm'
import { confirmDelete } from '~/ui/confirm-delete'
import { clearToasts, ToastStack } from '~/ui/toast'

beforeEach(() => {
  render(
    <>
      <ConfirmHost />
      <ToastStack />
    </>,
  )
})
afterEach(() => act(clearToasts))

const question = () => screen.queryByRole('alertdialog')
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

function askToDelete(action: () => Promise<unknown>) {
  act(() => confirmDelete({ kind: 'ssh-key', label: 'disk-1', extra: 'All is lost.', action }))
}

it('names the thing and the consequence', async () => {
  askToDelete(vi.fn())
  const dialog = await screen.findByRole('alertdialog', { name: 'Confirm delete SSH key' })
  expect(dialog.textContent).toContain('Are you sure you want to delete disk-1?All is lost.')
  expect(screen.getByText('disk-1').tagName).toBe('B')
})

it.each(['Cancel', 'Close'])('does nothing on %s', async (button) => {
  const action = vi.fn()
  askToDelete(action)
  await press(button)
  await waitFor(() => expect(question()).toBeNull())
  expect(action).not.toHaveBeenCalled()
})

it('closes when the action has succeeded, and not before', async () => {
  let finish = (): void => undefined
  askToDelete(() => new Promise<void>((resolve) => (finish = resolve)))
  await press('Confirm')
  expect(screen.getByRole('button', { name: 'Confirm' }).getAttribute('aria-busy')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(question()).not.toBeNull()
  finish()
  await waitFor(() => expect(question()).toBeNull())
  expect(screen.getByTestId('Toasts').textContent).toBe('')
})

/** Goes back or forward in the browser. */
const goBack = () => act(() => window.dispatchEvent(new PopStateEvent('popstate')))

it('belongs to the screen that asked, and is gone with it', async () => {
  const action = vi.fn()
  askToDelete(action)
  await screen.findByRole('alertdialog')
  goBack()
  await waitFor(() => expect(question()).toBeNull())
  expect(action).not.toHaveBeenCalled()
  askToDelete(action)
  await press('Confirm')
  expect(action).toHaveBeenCalledOnce()
})

it('is gone before its code was there', async () => {
  askToDelete(vi.fn())
  goBack()
  await vi.dynamicImportSettled()
  expect(question()).toBeNull()
})

it('says how an action ended whose question is gone', async () => {
  let fail = (_: Error): void => undefined
  askToDelete(() => new Promise((_, reject) => (fail = reject)))
  await press('Confirm')
  goBack()
  await waitFor(() => expect(question()).toBeNull())
  fail(new Error('Disk is attached'))
  await screen.findByText('Disk is attached')
})

it('closes when the action has failed, and says why', async () => {
  act(() =>
    confirm({
      title: 'Confirm stop instance',
      body: 'Stop db1?',
      tone: 'primary',
      confirmLabel: 'Stop',
      errorTitle: 'Could not stop instance',
      action: () => Promise.reject(new Error('Instance is stopping')),
    }),
  )
  await press('Stop')
  await waitFor(() => expect(question()).toBeNull())
  const toasts = screen.getByTestId('Toasts')
  expect(toasts.textContent).toContain('Could not stop instanceInstance is stopping')
})

it('shows what it sends as code', async () => {
  const operation = { name: 'instanceStop', method: 'POST', path: '/v1/instances/{instance}/stop' }
  const calls = [{ operation, input: { path: { instance: 'db' }, query: { project: 'web' } } }]
  act(() =>
    confirm({
      title: 'Stop',
      body: 'Stop it?',
      tone: 'danger',
      errorTitle: 'Failed',
      calls,
      action: vi.fn<() => Promise<unknown>>(),
    }),
  )
  await userEvent.click(await screen.findByText('Show as code'))
  const code = await screen.findByRole('region', { name: 'Code' })
  expect(code.textContent).toContain('croft instance stop \\\n  --project web \\\n  --instance db')
})
