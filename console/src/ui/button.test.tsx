import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { FormEvent } from 'react'
import { expect, it, vi } from 'vitest'

import { Button } from '~/ui/button'

it('does its work when pressed', async () => {
  const work = vi.fn()
  render(
    <Button needs={null} onPress={work}>
      Start
    </Button>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  expect(work).toHaveBeenCalledOnce()
})

it('with a reason against it: reachable, idle, and explaining itself', async () => {
  const work = vi.fn()
  render(
    <Button needs={null} onPress={work} disabledReason="Only stopped instances can be started">
      Start
    </Button>,
  )
  await userEvent.tab()
  const button = screen.getByRole('button', { name: 'Start' })
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect((await screen.findByRole('tooltip')).textContent).toBe(
    'Only stopped instances can be started',
  )
  await userEvent.keyboard('{Enter} ')
  await userEvent.click(button)
  expect(work).not.toHaveBeenCalled()
})

it.each([{ disabledReason: 'The name is missing' }, { loading: true }])(
  'does not send a form with %o',
  async (props) => {
    const send = vi.fn((event: FormEvent) => event.preventDefault())
    render(
      <form onSubmit={send}>
        <input aria-label="Name" />
        <input aria-label="Description" />
        <Button needs={null} type="submit" {...props}>
          Create project
        </Button>
      </form>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Create project' }))
    await userEvent.type(screen.getByLabelText('Name'), 'web{Enter}')
    expect(send).not.toHaveBeenCalled()
  },
)

it('keeps its name and its place while something is under way', async () => {
  const work = vi.fn()
  render(
    <Button needs={null} loading onPress={work}>
      Create
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Create' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  await userEvent.click(button)
  expect(work).not.toHaveBeenCalled()
})
