import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

import type { Key } from './-screen-keys'
import { ScreenToolbar } from './-screen-toolbar'

// jsdom has no full screen.
beforeEach(() => {
  Object.defineProperty(document, 'fullscreenEnabled', { value: true, configurable: true })
  return () => Reflect.deleteProperty(document, 'fullscreenEnabled')
})

function show(state: { isConnected?: boolean; isViewOnly?: boolean; isTyping?: boolean } = {}) {
  const handlers = {
    onScale: vi.fn<(isScaled: boolean) => void>(),
    onViewOnly: vi.fn<(isViewOnly: boolean) => void>(),
    onFill: vi.fn<() => void>(),
    onPress: vi.fn<(keys: readonly Key[]) => void>(),
    onType: vi.fn<() => void>(),
  }
  render(
    <ScreenToolbar
      isConnected
      isScaled
      isViewOnly={false}
      isTyping={false}
      {...state}
      {...handlers}
    />,
  )
  return handlers
}

const button = (name: string) => screen.getByRole('button', { name })

it('sends combinations that browsers keep for themselves', async () => {
  const { onPress } = show()
  await userEvent.click(button('Send keys'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ctrl+Alt+Del' }))
  await vi.waitFor(() => expect(onPress).toHaveBeenCalledOnce())
  expect(onPress.mock.calls[0]?.[0].map(({ key }) => key)).toEqual([
    'ControlLeft',
    'AltLeft',
    'Delete',
  ])
})

it('switches between the size of the window and that of the screen, and to view only', async () => {
  const { onScale, onViewOnly, onFill } = show()
  expect(button('Scale to the window').getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(button('Scale to the window'))
  expect(onScale.mock.calls).toEqual([[false]])
  expect(button('View only').getAttribute('aria-pressed')).toBe('false')
  await userEvent.click(button('View only'))
  expect(onViewOnly.mock.calls).toEqual([[true]])
  await userEvent.click(button('Full screen'))
  expect(onFill).toHaveBeenCalledOnce()
})

it.each([{ isConnected: false }, { isViewOnly: true }, { isTyping: true }])(
  'types nothing while %o',
  async (state) => {
    const { onType } = show(state)
    expect(button('Type text').getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(button('Type text'))
    expect(onType).not.toHaveBeenCalled()
  },
)

it('sends no keys in view only', async () => {
  const { onPress } = show({ isViewOnly: true })
  await userEvent.click(button('Send keys'))
  const item = await screen.findByRole('menuitem', { name: 'Ctrl+Alt+Del' })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(item)
  expect(onPress).not.toHaveBeenCalled()
})
