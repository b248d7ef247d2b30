import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { expect, it, vi } from 'vitest'

import { MenuButton } from '~/ui/menu'
import { SideModal } from '~/ui/side-modal'

function open(props: Partial<ComponentProps<typeof SideModal>> = {}) {
  const onDismiss = vi.fn()
  render(
    <SideModal title="Create disk" isDirty={false} onDismiss={onDismiss} {...props}>
      {props.children ?? <input aria-label="Name" />}
    </SideModal>,
  )
  return onDismiss
}

/** Focus comes back from what has closed a frame later. */
const focusIn = (name: string) =>
  waitFor(() => {
    const dialog = screen.getByRole('dialog', { name })
    expect(dialog.contains(document.activeElement)).toBe(true)
  })

const question = () => screen.queryByRole('alertdialog', { name: 'Confirm navigation' })

it('starts at the first field', () => {
  open()
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})

const ways: Array<[string, () => Promise<unknown>]> = [
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the close button', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['a press outside', () => userEvent.click(document.body)],
]

it.each(ways)('closes at once by %s while nothing has changed', async (_, leave) => {
  const onDismiss = open()
  await leave()
  expect(onDismiss).toHaveBeenCalledOnce()
  expect(question()).toBeNull()
})

it.each(ways)('asks first by %s while something would be lost', async (_, leave) => {
  const onDismiss = open({ isDirty: true })
  await leave()
  expect(question()).not.toBeNull()
  expect(onDismiss).not.toHaveBeenCalled()
})

it('goes on with the form, or leaves it', async () => {
  const onDismiss = open({ isDirty: true })
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(question()).toBeNull())
  expect(onDismiss).not.toHaveBeenCalled()

  await focusIn('Create disk')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Leave form' }))
  expect(onDismiss).toHaveBeenCalledOnce()
})

it('answers Escape with the topmost thing only', async () => {
  const onDismiss = open({
    isDirty: true,
    children: <MenuButton label="Options" trigger="Options" items={[{ id: 'a', label: 'A' }]} />,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Options' }))
  await screen.findByRole('menu')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(question()).toBeNull()
  await focusIn('Create disk')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(question()).not.toBeNull())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(question()).toBeNull())
  expect(onDismiss).not.toHaveBeenCalled()
})

it('shows one problem as it is, and counts several', () => {
  open({ error: 'Name already exists' })
  expect(screen.getByRole('alert').textContent).toBe('ErrorName already exists')
})

it('counts several problems', () => {
  open({ error: ['Name already exists', 'Size is too large'] })
  expect(screen.getByRole('alert').textContent).toBe(
    'Errors2 issues:Name already existsSize is too large',
  )
})

it('takes Escape also while the focus is not in it, and the topmost alone', async () => {
  const onDismiss = open({ isDirty: true })
  const blur = () => (document.activeElement as HTMLElement).blur()
  blur()
  await userEvent.keyboard('{Escape}')
  expect(question()).not.toBeNull()

  blur()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(question()).toBeNull())
  expect(onDismiss).not.toHaveBeenCalled()
})
