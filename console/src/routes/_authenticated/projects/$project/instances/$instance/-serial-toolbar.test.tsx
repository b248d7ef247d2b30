import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { saveText } from '~/lib/save-file'

import { SerialToolbar } from './-serial-toolbar'

vi.mock('~/lib/save-file', () => ({ saveText: vi.fn<typeof saveText>() }))

const encoder = new TextEncoder()

function show(canConnect = true) {
  const handlers = {
    onSearch: vi.fn<() => void>(),
    onWrap: vi.fn<(isWrapping: boolean) => void>(),
    onPaste: vi.fn<(pasted: string) => void>(),
  }
  const read = vi.fn(async () => ({
    start: 0,
    bytes: encoder.encode('\u001b[1mboot\u001b[0m\r\n'),
  }))
  render(
    <SerialToolbar
      instance="db"
      read={read}
      canConnect={canConnect}
      isConnected={canConnect}
      isWrapping
      {...handlers}
    />,
  )
  return handlers
}

const button = (name: string) => screen.getByRole('button', { name })

it('saves the whole log as a text', async () => {
  show()
  await userEvent.click(button('Download the log'))
  await vi.waitFor(() =>
    expect(vi.mocked(saveText).mock.calls).toEqual([
      ['db-serial-console.txt', 'text/plain', 'boot\n'],
    ]),
  )
})

it('shows whether lines are wrapped', async () => {
  const { onWrap, onSearch } = show()
  expect(button('Wrap lines').getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(button('Wrap lines'))
  expect(onWrap.mock.calls).toEqual([[false]])
  await userEvent.click(button('Search the log'))
  expect(onSearch).toHaveBeenCalledOnce()
})

it('says why there is no log and nothing to paste into', async () => {
  const { onSearch, onPaste } = show(false)
  for (const name of ['Search the log', 'Paste as keystrokes', 'Download the log']) {
    expect(button(name).getAttribute('aria-disabled')).toBe('true')
    // oxlint-disable-next-line no-await-in-loop -- one button after the other
    await userEvent.click(button(name))
  }
  expect(onSearch).not.toHaveBeenCalled()
  expect(onPaste).not.toHaveBeenCalled()
})
