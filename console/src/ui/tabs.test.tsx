import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { Tabs } from '~/ui/tabs'

const items = ['Disks', 'Images', 'Snapshots'].map((label) => ({
  id: label.toLowerCase(),
  label,
  content: <input aria-label={`Filter of ${label}`} />,
}))

const selectedTab = () => screen.getByRole('tab', { selected: true })

it('shows the content of the selected tab, by its name', async () => {
  const onSelect = vi.fn<(id: string) => void>()
  render(<Tabs label="Sources" items={items} onSelect={onSelect} />)
  screen.getByRole('tablist', { name: 'Sources' })
  screen.getByRole('tabpanel', { name: 'Disks' })
  await userEvent.click(screen.getByRole('tab', { name: 'Images' }))
  const panel = screen.getByRole('tabpanel', { name: 'Images' })
  expect(selectedTab().getAttribute('aria-controls')).toBe(panel.id)
  expect(screen.getAllByRole('textbox')).toHaveLength(1)
  screen.getByRole('textbox', { name: 'Filter of Images' })
  await userEvent.click(screen.getByRole('tab', { name: 'Images' }))
  expect(onSelect.mock.calls).toEqual([['images']])
})

it('is one stop of the tab key, and selects by arrow keys, Home and End', async () => {
  render(<Tabs label="Sources" items={items} />)
  await userEvent.tab()
  for (const [key, name] of [
    ['ArrowRight', 'Images'],
    ['End', 'Snapshots'],
    ['ArrowRight', 'Disks'],
    ['ArrowLeft', 'Snapshots'],
    ['Home', 'Disks'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await userEvent.keyboard(`{${key}}`)
    expect(selectedTab().textContent).toBe(name)
    expect(document.activeElement).toBe(selectedTab())
  }
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Filter of Disks' }))
})
