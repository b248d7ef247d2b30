import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

import { ConfirmHost } from '~/ui/confirm'

import { confirmPaste, pasteClipboard } from './-serial-paste'

const paste = vi.fn<(pasted: string) => void>()

beforeEach(() => {
  paste.mockReset()
})

it('needs no question for one line', () => {
  expect(confirmPaste('ls -l', paste)).toBe(false)
  expect(confirmPaste('ls -l\r\n', paste)).toBe(false)
})

it('asks before several lines, and shows the first ones', async () => {
  const user = userEvent.setup()
  render(<ConfirmHost />)
  const pasted = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n')
  expect(confirmPaste(pasted, paste)).toBe(true)
  const question = await screen.findByRole('alertdialog', { name: 'Paste 12 lines?' })
  expect(question.textContent).toContain('line 7')
  expect(question.textContent).not.toContain('line 8')
  expect(question.textContent).toContain('and 4 more lines')
  expect(paste).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Paste' }))
  await vi.waitFor(() => expect(paste.mock.calls).toEqual([[pasted]]))
})

it('pastes nothing when the question is cancelled', async () => {
  const user = userEvent.setup()
  render(<ConfirmHost />)
  await navigator.clipboard.writeText('one\ntwo')
  await pasteClipboard(paste)
  await screen.findByRole('alertdialog', { name: 'Paste 2 lines?' })
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(paste).not.toHaveBeenCalled()
})

it('pastes one line of the clipboard at once', async () => {
  userEvent.setup()
  await navigator.clipboard.writeText('uname -a')
  await pasteClipboard(paste)
  expect(paste.mock.calls).toEqual([['uname -a']])
})
