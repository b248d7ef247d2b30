import { act, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import type { ToastOptions } from '~/ui/toast'
import { clearToasts, toast, ToastStack } from '~/ui/toast'

beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastStack />)
})
afterEach(() => {
  act(clearToasts)
  vi.useRealTimers()
})

const show = (options: ToastOptions) => act(() => toast(options))
const advance = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds))
const texts = () =>
  Array.from(screen.getByRole('region', { name: 'Notifications' }).children, (each) =>
    each.textContent?.replace('Dismiss notification', ''),
  )

it('goes after five seconds, an error after fifteen, others when they say so', () => {
  show({ content: 'Disk created' })
  show({ content: 'Disk is attached', variant: 'error' })
  show({ content: 'Mind the gap', variant: 'info', timeout: null })
  show({ content: 'Short', timeout: 1000 })
  expect(texts()).toEqual([
    'SuccessDisk created',
    'ErrorDisk is attached',
    'NoteMind the gap',
    'SuccessShort',
  ])
  advance(1000)
  expect(texts()).not.toContain('SuccessShort')
  advance(3999)
  expect(texts()).toContain('SuccessDisk created')
  advance(1)
  expect(texts()).toEqual(['ErrorDisk is attached', 'NoteMind the gap'])
  advance(10_000)
  expect(texts()).toEqual(['NoteMind the gap'])
  advance(600_000)
  expect(texts()).toEqual(['NoteMind the gap'])
})

it('lives its own time whatever comes and goes beside it', () => {
  show({ content: 'First' })
  advance(3000)
  show({ content: 'Second' })
  advance(2000)
  expect(texts()).toEqual(['SuccessSecond'])
  advance(3000)
  expect(texts()).toEqual([])
})

it('can be dismissed', () => {
  show({ title: 'Could not delete resource', content: 'Disk is attached', variant: 'error' })
  expect(texts()).toEqual(['Could not delete resourceDisk is attached'])
  act(() => screen.getByRole('button', { name: 'Dismiss notification' }).click())
  expect(texts()).toEqual([])
})

it('cuts the text of a long link', () => {
  show({
    content: 'Image demoted',
    link: { label: 'View images in a-project-with-a-rather-long-name', href: '/projects/p/images' },
  })
  const link = within(screen.getByTestId('Toasts')).getByRole('link')
  expect(link.textContent).toBe('View images in a-project-with-a-ra…')
  expect(link.textContent).toHaveLength(35)
})
