import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

import { LinkCell } from '~/ui/link-cell'
import { ListPlus } from '~/ui/list-plus'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'
import { Truncate } from '~/ui/truncate'

interface Rule {
  id: string
  name: string
}

const rules: Rule[] = [
  { id: 'id-1', name: 'allow-ssh' },
  { id: 'id-2', name: 'allow-icmp' },
]
const description = 'x'.repeat(60)

const columns: Column<Rule>[] = [
  {
    id: 'name',
    header: 'Name',
    isName: true,
    cell: ({ name }) => <LinkCell href={`#${name}`}>{name}</LinkCell>,
  },
  { id: 'text', header: 'Description', cell: () => <Truncate text={description} max={48} /> },
  {
    id: 'ports',
    header: 'Ports',
    group: 'Filters',
    cell: () => (
      <ListPlus title="Other ports">
        {['22', '80'].map((port) => (
          <span key={port}>{port}</span>
        ))}
      </ListPlus>
    ),
  },
  { id: 'action', header: 'Action', isKey: true, cell: () => 'Allow' },
]

const select = vi.fn<(selected: ReadonlySet<string>) => void>()
let turn: (isPhone: boolean) => void

beforeEach(() => {
  let matches = true
  const listeners = new Set<() => void>()
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return matches
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
  }))
  turn = (isPhone) => {
    matches = isPhone
    for (const listener of listeners) listener()
  }
})

const show = () =>
  render(
    <Table
      label="Rules"
      columns={columns}
      rows={rules}
      rowKey={({ id }) => id}
      rowActions={() => [{ id: 'edit', label: 'Edit', needs: null, onAction: () => {} }]}
      selection={{ mode: 'multiple', selected: new Set(), onChange: select }}
    />,
  )

const cards = () => screen.getAllByRole('row').slice(1)
const texts = (elements: Element[]) => elements.map(({ textContent }) => textContent)

it('shows the name, then what is important, and everything whole', () => {
  show()
  const card = cards()[0] as HTMLElement
  expect(texts([...card.querySelectorAll('.card-label')])).toEqual([
    'Action',
    'Description',
    'Filters: Ports',
  ])
  expect(texts([...card.querySelectorAll('.card-value')])).toEqual([
    'allow-ssh',
    'Allow',
    description,
    '2280',
  ])
})

it('says of everything what it is in a table', () => {
  show()
  const table = screen.getByRole('table', { name: 'Rules' })
  expect(texts(within(table).getAllByRole('columnheader'))).toEqual([
    'Select all',
    'Name',
    'Action',
    'Description',
    'Filters: Ports',
    'Actions',
  ])
  for (const element of table.querySelectorAll('table, thead, tbody, tr, th, td')) {
    expect(element.getAttribute('role')).not.toBeNull()
  }
})

it('selects and opens menus as a table does, and is one stop of the keyboard', async () => {
  const user = userEvent.setup()
  show()
  await user.click(screen.getByRole('checkbox', { name: 'Select allow-icmp' }))
  expect(select).toHaveBeenLastCalledWith(new Set(['id-2']))
  await user.click(screen.getByText('Select all'))
  expect(select).toHaveBeenLastCalledWith(new Set(['id-1', 'id-2']))
  await user.tab()
  expect(document.activeElement).toBe(cards()[1])
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(cards()[0])
  await user.click(within(cards()[1] as HTMLElement).getByRole('button', { name: 'Row actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Copy ID' }))
  expect(await navigator.clipboard.readText()).toBe('id-2')
})

it('becomes a table when there is room', () => {
  show()
  const box = screen.getByRole('checkbox', { name: 'Select allow-icmp' })
  act(() => box.focus())
  act(() => turn(false))
  // Whoever turns a phone goes on where they were.
  expect(document.activeElement).toBe(box)
  expect(document.querySelectorAll('.card-value')).toHaveLength(0)
  expect(texts(screen.getAllByRole('columnheader'))).toContain('Name')
})
