import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import * as common from '~/messages/common'
import * as text from '~/messages/held-deletion'
import { ConfirmHost } from '~/ui/confirm'
import { clearToasts, ToastStack } from '~/ui/toast'

import { askToDelete } from './deletion'
import { DELETION_DELAY, holdDeletions } from './deletion-delay'
import { hold, isHeld } from './held-deletion'

const send = vi.fn(() => Promise.resolve())

const holdDisk = (id = 'id-1', label = 'data') =>
  act(() => hold({ label, ids: [id], errorTitle: 'Could not delete', send }))
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const notes = () => screen.getByTestId('Toasts').textContent
const undo = () => screen.getByRole('button', { name: text.undoLabel })

beforeEach(() => {
  vi.useFakeTimers()
  render(
    <StrictMode>
      <table>
        <tbody>
          <tr data-row="id-1" tabIndex={-1} />
        </tbody>
      </table>
      <ConfirmHost />
      <ToastStack />
    </StrictMode>,
  )
})

afterEach(() => {
  act(clearToasts)
  send.mockReset()
  send.mockImplementation(() => Promise.resolve())
  vi.useRealTimers()
  holdDeletions(false)
})

it('is sent after ten seconds, which are counted', async () => {
  holdDisk()
  expect(notes()).toContain('data will be deleted in 10 s')
  for (let second = 1; second < DELETION_DELAY; second += 1) await pass(1)
  expect(notes()).toContain('in 1 s')
  expect(send).not.toHaveBeenCalled()
  await pass(1)
  expect(send).toHaveBeenCalledOnce()
  expect(notes()).toBe('')
  expect(isHeld('id-1')).toBe(false)
})

it('is undone by a button or a key, and can be sent at once', async () => {
  holdDisk()
  fireEvent.click(undo())
  expect(notes()).toContain('Not deleted: data')

  holdDisk('id-1', 'one')
  holdDisk('id-2', 'two')
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect([isHeld('id-1'), isHeld('id-2')]).toEqual([true, false])
  fireEvent.click(screen.getByRole('button', { name: text.deleteNowLabel }))
  expect(send).toHaveBeenCalledOnce()
  await pass(2 * DELETION_DELAY)
  expect(send).toHaveBeenCalledOnce()
})

it('waits for whoever has the focus in it, and gives the focus to the row', async () => {
  holdDisk()
  act(() => undo().focus())
  await pass(2 * DELETION_DELAY)
  expect(send).not.toHaveBeenCalled()
  fireEvent.click(undo())
  expect(document.activeElement?.getAttribute('data-row')).toBe('id-1')
})

it('says why it failed', async () => {
  send.mockRejectedValue(new Error('disk is attached'))
  holdDisk()
  for (let second = 0; second < DELETION_DELAY; second += 1) await pass(1)
  expect(notes()).toContain('Could not deletedisk is attached')
})

it('ends with the session without a deletion', async () => {
  holdDisk()
  act(clearToasts)
  await pass(2 * DELETION_DELAY)
  expect(send).not.toHaveBeenCalled()
  expect(isHeld('id-1')).toBe(false)
})

it('follows the confirmation, unless the person wants deletions at once', async () => {
  vi.useRealTimers()
  const leave = vi.fn(() => Promise.resolve())
  const confirm = async () => {
    await userEvent.click(await screen.findByRole('button', { name: common.confirmLabel }))
    await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  }
  holdDeletions(true)
  askToDelete({ label: 'data', send, leave })
  await confirm()
  expect(send).not.toHaveBeenCalled()
  expect(leave).toHaveBeenCalledOnce()
  await userEvent.click(undo())

  holdDeletions(false)
  askToDelete({ label: 'data', send, leave })
  await confirm()
  expect(send).toHaveBeenCalledOnce()
  expect(leave).toHaveBeenCalledTimes(2)
})
