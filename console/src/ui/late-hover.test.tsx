import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

import { MenuButton } from '~/ui/menu'
import { PressButton } from '~/ui/press-button'
import { Tooltip } from '~/ui/tooltip'

// Code that comes only when a test lets it.
const { arrival, arrive } = vi.hoisted(() => {
  let arrive = (): void => undefined
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  return { arrival, arrive: () => arrive() }
})

vi.mock('~/ui/shown-tip', async (original) => {
  await arrival
  return original()
})
vi.mock('~/ui/menu-panel', async (original) => {
  await arrival
  return original()
})

afterEach(() => {
  vi.useRealTimers()
})

it('opens nothing whose code arrives after the pointer has left', async () => {
  render(
    <>
      <Tooltip content="Starts it">
        <PressButton>Start</PressButton>
      </Tooltip>
      <MenuButton label="View" trigger="View" items={[{ id: 'one', label: 'One', href: '/one' }]} />
    </>,
  )
  vi.useFakeTimers()
  const start = screen.getByRole('button', { name: 'Start' })
  fireEvent.pointerOver(start, { pointerType: 'mouse' })
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'View' }), { pointerType: 'mouse' })
  act(() => void vi.advanceTimersByTime(1000))
  fireEvent.pointerLeave(start)
  fireEvent.pointerLeave(screen.getByRole('button', { name: 'View' }))
  vi.useRealTimers()
  arrive()
  await act(() => vi.dynamicImportSettled())
  expect(screen.queryByRole('tooltip')).toBeNull()
  expect(screen.queryByRole('menu')).toBeNull()

  // It was there, and opens the next time.
  fireEvent.pointerOver(start, { pointerType: 'mouse' })
  expect((await screen.findByRole('tooltip')).textContent).toBe('Starts it')
})
