import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'

import { onDemand } from '~/ui/on-demand'
import { clearToasts, ToastStack } from '~/ui/toast'

afterEach(() => act(clearToasts))

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

it('shows the component once its code is there, and at once from then on', async () => {
  const load = vi.fn(async () => Greeting)
  const Part = onDemand(load)
  const { unmount } = render(<Part name="Ada" />)
  expect(screen.queryByText('Hello Ada')).toBeNull()
  expect(await screen.findByText('Hello Ada')).toBeTruthy()
  unmount()
  render(<Part name="Ada" />)
  expect(screen.getByText('Hello Ada')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
})

it('asks for the code once, however many places wait for it', async () => {
  const load = vi.fn(async () => Greeting)
  const Part = onDemand(load)
  render(
    <>
      <Part name="Ada" />
      <Part name="Grace" />
    </>,
  )
  expect(await screen.findByText('Hello Ada')).toBeTruthy()
  expect(await screen.findByText('Hello Grace')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
})

it('says when the code does not come, closes, and tries again the next time', async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new TypeError('offline'))
  const Part = onDemand(load)
  const close = vi.fn<() => void>()
  const { unmount } = render(
    <>
      <ToastStack />
      <Part name="Ada" onMissing={close} />
    </>,
  )
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(screen.getByTestId('Toasts').textContent).toContain('Could not open')
  unmount()
  render(<Part name="Ada" onMissing={close} />)
  expect(await screen.findByText('Hello Ada')).toBeTruthy()
})

it('keeps quiet about a failed preload', async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new TypeError('offline'))
  const Part = onDemand(load)
  render(<ToastStack />)
  await act(async () => Part.preload())
  expect(screen.getByTestId('Toasts').textContent).toBe('')
})
