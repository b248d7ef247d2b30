import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import type { ReadHistory, SerialPart } from './-serial-history'
import { SerialSearch } from './-serial-search'

const encoder = new TextEncoder()
const logOf =
  (log: string): ReadHistory =>
  async () => ({ start: 0, bytes: encoder.encode(log) })

function show(log: string, read = logOf(log)) {
  const onClose = vi.fn<() => void>()
  let tell: ((part: SerialPart) => void) | undefined
  const follow = (listener: (part: SerialPart) => void) => {
    tell = listener
    return () => {
      tell = undefined
    }
  }
  render(<SerialSearch read={read} follow={follow} isWrapping onClose={onClose} />)
  const print = (start: number, text: string) => tell?.({ start, bytes: encoder.encode(text) })
  return { onClose, print, field: screen.getByRole('textbox', { name: 'Search the log' }) }
}

const status = () => screen.getByRole('status').textContent
const current = () => document.querySelector('mark[data-current]')?.parentElement?.textContent

it('counts what it finds in the whole log, and goes through it with Enter and Shift+Enter', async () => {
  const user = userEvent.setup()
  // More lines than a terminal keeps.
  const log = `first error\r\n${'nothing\r\n'.repeat(9000)}second Error\r\nthird ERROR\r\n`
  const { field } = show(log)
  expect(document.activeElement).toBe(field)
  await screen.findByRole('region', { name: 'Log of the serial console' })
  await user.type(field, 'error')
  await waitFor(() => expect(status()).toBe('1 of 3'))
  expect(current()).toBe('first error')
  await user.keyboard('{Enter}')
  expect(status()).toBe('2 of 3')
  expect(current()).toBe('second Error')
  await user.keyboard('{Shift>}{Enter}{Enter}{/Shift}')
  expect(status()).toBe('3 of 3')
  await user.click(screen.getByRole('button', { name: 'Next match' }))
  expect(status()).toBe('1 of 3')
})

it('says that nothing matches, and closes with Escape', async () => {
  const user = userEvent.setup()
  const { onClose, field } = show('login: ')
  await screen.findByRole('region', { name: 'Log of the serial console' })
  await user.type(field, 'panic')
  await waitFor(() => expect(status()).toBe('No matches'))
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

it('has what the console sends while it is open, once', async () => {
  const user = userEvent.setup()
  const { field, print } = show('one two ')
  await screen.findByRole('region', { name: 'Log of the serial console' })
  await user.type(field, 'two')
  act(() => {
    print(4, 'two three ')
    print(14, 'two')
  })
  await waitFor(() => expect(status()).toBe('1 of 2'))
})

it('says why the log cannot be read', async () => {
  show('', () => Promise.reject(new Error('Action not authorized')))
  expect((await screen.findByText('Action not authorized')).textContent).toBeTruthy()
})
