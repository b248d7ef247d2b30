import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'

import { CommandPalette, type PaletteGroup } from '~/ui/command-palette'

const labels = {
  Actions: ['New instance'],
  'Go to instance': ['db1', 'db2', 'newsroom'],
  "Project 'web'": ['Instances', 'Disks'],
}

function Host({ onSelect }: { onSelect: (label: string) => void }) {
  const [isOpen, setIsOpen] = useState(true)
  const groups: PaletteGroup[] = Object.entries(labels).map(([heading, items]) => ({
    heading,
    items: items.map((label) => ({
      id: label,
      label,
      onSelect: () => onSelect(label),
      disabledReason: label === 'db2' ? 'Not now' : undefined,
    })),
  }))
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <CommandPalette groups={groups} isOpen={isOpen} onDismiss={() => setIsOpen(false)} />
    </>
  )
}

function open() {
  const onSelect = vi.fn<(label: string) => void>()
  const user = userEvent.setup()
  render(<Host onSelect={onSelect} />)
  const selected = () => screen.getByRole('option', { selected: true }).textContent
  return { user, onSelect, selected, input: screen.getByRole('combobox', { name: 'Search' }) }
}

describe('CommandPalette', () => {
  it('is a dialog with a focused search over grouped options', () => {
    const { input, selected } = open()
    expect(screen.getByRole('dialog', { name: 'Quick actions' })).toBeTruthy()
    expect(document.activeElement).toBe(input)
    expect(screen.getByRole('listbox').id).toBe(input.getAttribute('aria-controls'))
    expect(
      screen.getAllByRole('group').map((group) => within(group).getAllByRole('option').length),
    ).toEqual([1, 3, 2])
    expect(selected()).toBe('New instance')
    expect(input.getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { selected: true }).id,
    )
  })

  it('finds the best match first and starts over at the first item', async () => {
    const { user, selected } = open()
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(selected()).toBe('db2Not now')
    await user.keyboard('new')
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'New instance',
      'newsroom',
    ])
    expect(selected()).toBe('New instance')
    await user.keyboard('zzz')
    expect(screen.queryByRole('option')).toBeNull()
    expect(screen.getByText('No actions match')).toBeTruthy()
  })

  it('moves around the ends and runs what is selected, once', async () => {
    const { user, onSelect, selected } = open()
    await user.keyboard('{ArrowUp}')
    expect(selected()).toBe('Disks')
    await user.keyboard('{ArrowDown}')
    expect(selected()).toBe('New instance')
    await user.keyboard('{Enter}')
    expect(onSelect.mock.calls).toEqual([['New instance']])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('runs what is pressed, except what cannot be done', async () => {
    const { user, onSelect } = open()
    await user.click(screen.getByRole('option', { name: /db2/ }))
    expect(onSelect).not.toHaveBeenCalled()
    await user.click(screen.getByRole('option', { name: 'db1' }))
    expect(onSelect.mock.calls).toEqual([['db1']])
  })

  it('clears its text and keeps the focus', async () => {
    const { user, input } = open()
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
    await user.keyboard('db')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(document.activeElement).toBe(input)
    expect(screen.getAllByRole('option')).toHaveLength(6)
  })

  it('closes by Escape and its button, and forgets', async () => {
    const { user, onSelect } = open()
    await user.keyboard('db{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open' }))
    expect(screen.getAllByRole('option')).toHaveLength(6)
    // React-aria adds one of its own for screen readers, at the end.
    await user.click(screen.getAllByRole('button', { name: 'Dismiss' })[0] as HTMLElement)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(onSelect).not.toHaveBeenCalled()
  })
})
