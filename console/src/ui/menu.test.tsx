import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { confirm, ConfirmHost } from '~/ui/confirm'
import { MenuButton } from '~/ui/menu'

const start = vi.fn()
const stop = vi.fn()
const reason = 'Only running instances can be stopped'

async function open() {
  render(
    <MenuButton
      label="Row actions"
      trigger="…"
      items={[
        { id: 'start', label: 'Start', needs: null, onAction: start },
        {
          id: 'stop',
          label: 'Stop',
          needs: null,
          onAction: stop,
          disabledReason: reason,
        },
        { separator: true },
        { id: 'edit', label: 'Edit', href: '/projects/p/instances/i/edit' },
        { id: 'guide', label: 'Guide', href: 'https://example.test/guide' },
      ]}
    />,
  )
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('menu')
}

it('runs an action and closes', async () => {
  await open()
  await userEvent.keyboard('{Enter}')
  expect(start).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
})

it('lets a disabled action be read, not chosen', async () => {
  await open()
  await userEvent.keyboard('{ArrowDown}')
  const item = screen.getByRole('menuitem', { name: 'Stop' })
  expect(document.activeElement).toBe(item)
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('menuitem', { description: reason })).toBe(item)
  // Hidden, because an open menu hides the rest of the page from assistive technology.
  expect(screen.getByRole('tooltip', { hidden: true }).textContent).toBe(reason)
  await userEvent.keyboard('{Enter}')
  await userEvent.click(item)
  expect(stop).not.toHaveBeenCalled()
  expect(screen.getByRole('menu')).toBeDefined()
})

it('makes links of addresses, and opens others in a new tab', async () => {
  await open()
  const edit = screen.getByRole('menuitem', { name: 'Edit' })
  expect(edit.getAttribute('href')).toBe('/projects/p/instances/i/edit')
  expect(edit.hasAttribute('target')).toBe(false)
  const guide = screen.getByRole('menuitem', { name: 'Guide' })
  expect(guide.getAttribute('target')).toBe('_blank')
})

it('marks the present choice and reports another', async () => {
  const onSelect = vi.fn()
  const options = [
    { id: 'light', label: 'Light' },
    { id: 'dark', label: 'Dark' },
  ]
  render(
    <MenuButton
      label="Theme"
      trigger="Theme"
      items={[{ id: 'theme', choice: 'Theme', options, selected: 'dark', onSelect }]}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Theme' }))
  const items = await screen.findAllByRole('menuitemradio')
  const checked = items.map((item) => item.getAttribute('aria-checked'))
  expect(checked).toEqual(['false', 'true'])
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Light' }))
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('light')
})

it('has the focus back before an action opens a dialog, which then returns it', async () => {
  const ask = () =>
    confirm({
      title: 'Confirm stop',
      body: 'Stop it?',
      tone: 'danger',
      errorTitle: 'Error',
      action: () => Promise.resolve(),
    })
  render(
    <>
      <MenuButton
        label="Row actions"
        trigger="…"
        items={[{ id: 'stop', label: 'Stop', needs: null, onAction: ask }]}
      />
      <ConfirmHost />
    </>,
  )
  const button = screen.getByRole('button', { name: 'Row actions' })
  const openAndLeave = async () => {
    await userEvent.click(button)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Stop' }))
    await screen.findByRole('alertdialog')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  }
  await openAndLeave()
  // Now nothing has to be fetched any more, and the dialog opens as the menu closes.
  await openAndLeave()
})
