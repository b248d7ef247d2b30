import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLayoutEffect, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'

import { formatTime, momentInZones } from '~/lib/dates'
import { DateTime } from '~/ui/date-time'
import { LinkCell } from '~/ui/link-cell'
import { NavigateContext } from '~/ui/navigate-context'
import { Table, type TableProps } from '~/ui/table'
import { haveRoom, importantFirst, type Column } from '~/ui/table-column'
import { columnWidths } from '~/ui/table-layout'
import { Truncate } from '~/ui/truncate'

interface Disk {
  id: string
  name: string
  size: number
}

const disks: Disk[] = [
  { id: 'id-1', name: 'web', size: 10 },
  { id: 'id-2', name: 'database', size: 20 },
  { id: 'id-3', name: 'backup', size: 30 },
]

const columns: Column<Disk>[] = [
  {
    id: 'name',
    header: 'Name',
    isName: true,
    cell: (disk) => <LinkCell href={`#${disk.name}`}>{disk.name}</LinkCell>,
  },
  { id: 'size', header: 'Size', align: 'end', cell: (disk) => disk.size },
]

function DiskTable(props: Partial<TableProps<Disk>>) {
  return (
    <Table columns={columns} rows={disks} rowKey={(disk) => disk.id} label="Disks" {...props} />
  )
}

const bodyRows = () => screen.getAllByRole<HTMLTableRowElement>('row').slice(1)
const rowActions = (disk: Disk) => [
  { id: 'stop', label: `Stop ${disk.name}`, needs: null, onAction: vi.fn<() => void>() },
]

describe('Table', () => {
  it('shows every row under the headers and names itself', () => {
    render(<DiskTable />)
    const table = screen.getByRole('table', { name: 'Disks' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((header) => header.textContent),
    ).toEqual(['Name', 'Size'])
    expect(bodyRows().map((row) => row.textContent)).toEqual(['web10', 'database20', 'backup30'])
  })

  it('shows the empty message instead of an empty first page, and the header on an empty later page', () => {
    const { rerender } = render(<DiskTable rows={[]} emptyMessage={<p>No disks</p>} />)
    expect(screen.getByText('No disks')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    rerender(<DiskTable rows={[]} />)
    expect(screen.getAllByRole('columnheader')).toHaveLength(2)
  })

  it('stands in for rows while loading, outside the accessible content', () => {
    render(<DiskTable rows={[]} isLoading skeletonRows={3} emptyMessage="No disks" />)
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true')
    expect(screen.getAllByRole('row')).toHaveLength(1)
    expect(screen.getAllByRole('row', { hidden: true })).toHaveLength(4)
  })

  it('is one stop of the keyboard, with arrows between rows and enter to open one', async () => {
    const user = userEvent.setup()
    render(<DiskTable />)
    await user.tab()
    expect(document.activeElement).toBe(bodyRows()[0])
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(bodyRows()[1])
    await user.keyboard('{End}{ArrowDown}')
    expect(document.activeElement).toBe(bodyRows()[2])
    await user.keyboard('{Home}')
    expect(bodyRows().map((row) => row.tabIndex)).toEqual([0, -1, -1])
    const link = screen.getByRole('link', { name: 'web' })
    const opened = vi.fn<(event: Event) => void>((event) => event.preventDefault())
    link.addEventListener('click', opened)
    await user.keyboard('{Enter}')
    expect(opened).toHaveBeenCalledOnce()
  })

  it('leads to the controls of its header by arrow keys, and to nothing else by tab', async () => {
    const user = userEvent.setup()
    const onPress = vi.fn<(id: string) => void>()
    const selection = { mode: 'multiple', selected: new Set<string>(), onChange: vi.fn() } as const
    render(<DiskTable selection={selection} sorting={{ isDescending: false, onPress }} />)
    await user.tab()
    expect(document.activeElement).toBe(bodyRows()[0])
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select all' }))
    await user.keyboard('{ArrowRight}{Enter}')
    expect(onPress.mock.calls).toEqual([['name']])
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'web' }))
    await user.keyboard('{ArrowUp}{ArrowLeft}{ArrowDown}')
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: /web/ }))
    await user.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(bodyRows()[0])
    await user.tab()
    expect(document.activeElement).toBe(document.body)
    // There is no row above the first one to extend the selection to.
    act(() => bodyRows()[0]?.focus())
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}')
    expect(selection.onChange).not.toHaveBeenCalled()
  })

  it('shows the rows that fit into the window first, and renders each of them once', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      ...(disks[0] as Disk),
      id: `d${index}`,
    }))
    const shownAt: number[] = []
    const rendered: string[] = []
    const Cell = ({ row }: { row: Disk }) => {
      useLayoutEffect(() => {
        shownAt.push(bodyRows().length)
      }, [])
      rendered.push(row.id)
      return row.id
    }
    const counted: Column<Disk>[] = [{ id: 'id', header: 'ID', cell: (row) => <Cell row={row} /> }]
    const { unmount } = render(<DiskTable rows={many} columns={counted} />)
    const first = Math.ceil(window.innerHeight / 36)
    expect(first).toBeLessThan(50)
    expect([shownAt[0], shownAt.at(-1)]).toEqual([first, 50])
    expect(rendered).toEqual(many.map(({ id }) => id))
    unmount()

    // All at once, if the screen is to be scrolled to where it was left.
    window.history.replaceState({ __TSR_key: 'left' }, '')
    sessionStorage.setItem('croft-scroll:left', '900')
    shownAt.length = 0
    render(<DiskTable rows={many} columns={counted} />)
    expect(shownAt[0]).toBe(50)
  })

  it('keeps a tab stop when the row that had it goes away', () => {
    const { rerender } = render(<DiskTable />)
    act(() => bodyRows()[2]?.focus())
    rerender(<DiskTable rows={disks.slice(0, 2)} />)
    expect(bodyRows().map((row) => row.tabIndex)).toEqual([0, -1])
  })

  it('groups headers', () => {
    const grouped: Column<Disk>[] = [
      ...columns,
      { id: 'used', header: 'Used', group: 'Storage', cell: () => 1 },
      { id: 'quota', header: 'Quota', group: 'Storage', cell: () => 2 },
    ]
    render(<DiskTable columns={grouped} />)
    const storage = screen.getByRole('columnheader', { name: 'Storage' })
    expect(storage.getAttribute('colspan')).toBe('2')
    expect(screen.getAllByRole('row')).toHaveLength(2 + disks.length)
  })
})

describe('controls of rows', () => {
  const linked: Column<Disk>[] = [
    ...columns,
    {
      id: 'id',
      header: 'ID',
      cell: ({ id }) => (
        <>
          <Truncate text={`${id}-${'x'.repeat(20)}`} max={8} />
          <button type="button">Copy {id}</button>
        </>
      ),
    },
  ]

  const show = () =>
    render(
      <>
        <DiskTable columns={linked} rowActions={rowActions} />
        <button type="button">After</button>
      </>,
    )

  it('are no stops of the tab key, also when they appear later', async () => {
    const user = userEvent.setup()
    const { rerender } = render(<DiskTable rows={[]} columns={linked} isLoading />)
    rerender(<DiskTable columns={linked} rowActions={rowActions} />)
    const stops = () => document.querySelectorAll('[tabindex="0"], button:not([tabindex])')
    expect([...stops()]).toEqual([bodyRows()[0]])
    const late = document.createElement('button')
    bodyRows()[1]?.cells[0]?.append(late)
    await waitFor(() => expect(late.tabIndex).toBe(-1))
    late.remove()
    await user.tab()
    await user.keyboard('{ArrowDown}{ArrowRight}')
    await user.tab({ shift: true })
    expect(document.activeElement).toBe(bodyRows()[1])
    await user.tab()
    expect(document.activeElement).toBe(document.body)
  })

  it('are reached with left and right, and those of a column with up and down', async () => {
    const user = userEvent.setup()
    show()
    const named = () =>
      document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
    await user.tab()
    const passed: (string | null | undefined)[] = []
    for (let presses = 0; presses < 4; presses += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await user.keyboard('{ArrowRight}')
      passed.push(named())
    }
    expect(passed).toEqual(['web', `id-1-${'x'.repeat(20)}`, 'Copy id-1', 'Row actions'])
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowDown}')
    expect(named()).toBe('database')
    await user.keyboard('{ArrowLeft}')
    expect(document.activeElement).toBe(bodyRows()[1])
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(bodyRows()[2])
    await user.tab()
    expect(named()).toBe('After')
  })

  it('have their tooltips under focus and under the pointer, one at a time', async () => {
    const user = userEvent.setup()
    show()
    await user.tab()
    await user.keyboard('{ArrowRight}{ArrowRight}')
    const first = await screen.findByRole('tooltip')
    expect(first.textContent).toMatch(/^id-1-xxx/)
    expect(document.activeElement?.getAttribute('aria-describedby')).toBe(first.id)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip')).toBeNull()
    await user.hover(screen.getByRole('img', { name: /^id-2/ }))
    expect((await screen.findByRole('tooltip')).textContent).toMatch(/^id-2-xxx/)
    await user.unhover(screen.getByRole('img', { name: /^id-2/ }))
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
  })

  it('say the zone of a time and UTC', async () => {
    const user = userEvent.setup()
    const value = new Date('2023-02-28T12:00:00Z')
    const timed: Column<Disk>[] = [
      ...columns,
      { id: 'created', header: 'Created', cell: () => <DateTime value={value} /> },
    ]
    render(<DiskTable columns={timed} />)
    await user.hover(within(bodyRows()[1] as HTMLElement).getByText(formatTime(value)))
    expect((await screen.findByRole('tooltip')).textContent?.trim()).toBe(
      momentInZones(value).join(' '),
    )
  })

  it('show the whole of a text that is cut', async () => {
    const user = userEvent.setup()
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(200)
    show()
    await user.hover(screen.getByRole('link', { name: 'web' }))
    expect((await screen.findByRole('tooltip')).textContent).toBe('web')
  })

  it('lead to other screens without loading the page, except in a new tab', async () => {
    const user = userEvent.setup()
    const navigate = vi.fn<(href: string) => void>()
    render(
      <NavigateContext value={navigate}>
        <DiskTable />
      </NavigateContext>,
    )
    await user.click(screen.getByRole('link', { name: 'backup' }))
    expect(navigate).toHaveBeenCalledExactlyOnceWith('#backup')
    await user.keyboard('{Control>}')
    await user.click(screen.getByRole('link', { name: 'web' }))
    expect(navigate).toHaveBeenCalledOnce()
  })
})

describe('row menu', () => {
  it('copies the id first and then offers the actions', async () => {
    const user = userEvent.setup()
    render(<DiskTable rowActions={rowActions} />)
    await user.click(
      within(bodyRows()[1] as HTMLElement).getByRole('button', { name: 'Row actions' }),
    )
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual(['Copy ID', 'Stop database'])
    await user.click(items[0] as HTMLElement)
    expect(await navigator.clipboard.readText()).toBe('id-2')
  })

  it('takes another text for copying and leaves it out without an id', async () => {
    const user = userEvent.setup()
    const { unmount } = render(<DiskTable rowActions={rowActions} copyIdLabel="Copy disk ID" />)
    await user.click(screen.getAllByRole('button', { name: 'Row actions' })[0] as HTMLElement)
    expect(await screen.findByRole('menuitem', { name: 'Copy disk ID' })).toBeTruthy()
    unmount()
    render(
      <Table
        label="Keys"
        columns={[{ id: 'key', header: 'Key', cell: (row: { key: string }) => row.key }]}
        rows={[{ key: 'a' }]}
        rowKey={(row) => row.key}
        rowActions={() => [{ id: 'view', label: 'View' }]}
      />,
    )
    await user.click(screen.getByRole('button', { name: 'Row actions' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual(['View'])
  })

  it('stays open while new rows arrive and follows its row', async () => {
    const user = userEvent.setup()
    const { rerender } = render(<DiskTable rowActions={rowActions} />)
    await user.click(
      within(bodyRows()[1] as HTMLElement).getByRole('button', { name: 'Row actions' }),
    )
    const before = await screen.findByRole('menu')
    // What a poll does: equal rows that are new objects, in another order, with columns made anew.
    const polled = disks.map((disk) => ({ ...disk, size: disk.size + 1 })).toReversed()
    rerender(
      <DiskTable rows={polled} columns={[...columns]} rowActions={(disk) => rowActions(disk)} />,
    )
    expect(screen.getByRole('menu')).toBe(before)
    expect(within(before).getByRole('menuitem', { name: 'Stop database' })).toBeTruthy()
  })

  it('opens at its first entry by enter and space, when the key is released, and at either end by the arrow keys', async () => {
    const user = userEvent.setup()
    render(<DiskTable rowActions={rowActions} />)
    const button = screen.getAllByRole('button', { name: 'Row actions' })[0] as HTMLElement
    act(() => button.focus())
    await user.keyboard('{Enter>3}')
    expect(screen.queryByRole('menu')).toBeNull()
    await user.keyboard('{/Enter}')
    for (const [keys, entry] of [
      ['{Enter}', 'Copy ID'],
      [' ', 'Copy ID'],
      ['{ArrowDown}', 'Copy ID'],
      ['{ArrowUp}', 'Stop web'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await screen.findByRole('menu')
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await user.keyboard('{Escape}')
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await waitFor(() => expect(document.activeElement).toBe(button))
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await user.keyboard(keys)
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await waitFor(() => expect(document.activeElement?.textContent).toBe(entry))
    }
  })

  it('opens by the keys of a context menu', async () => {
    render(<DiskTable rowActions={rowActions} />)
    const row = bodyRows()[0] as HTMLElement
    act(() => row.focus())
    fireEvent.keyDown(row, { key: 'F10', shiftKey: true })
    expect(await screen.findByRole('menu')).toBeTruthy()
  })
})

describe('selection', () => {
  function Selecting({ mode }: { mode: 'single' | 'multiple' }) {
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
    return (
      <>
        <output>{[...selected].join(' ')}</output>
        <DiskTable rowActions={rowActions} selection={{ mode, selected, onChange: setSelected }} />
      </>
    )
  }
  const chosen = () => screen.getByRole('status').textContent

  it('chooses one row by pressing it, but not by pressing its menu', async () => {
    const user = userEvent.setup()
    render(<Selecting mode="single" />)
    await user.click(bodyRows()[1] as HTMLElement)
    expect(chosen()).toBe('id-2')
    await user.click(bodyRows()[2] as HTMLElement)
    expect(chosen()).toBe('id-3')
    expect(bodyRows()[2]?.getAttribute('aria-selected')).toBe('true')
    await user.click(
      within(bodyRows()[0] as HTMLElement).getByRole('button', { name: 'Row actions' }),
    )
    await waitFor(() => expect(screen.getByRole('menu')).toBeTruthy())
    await user.keyboard('{Escape}')
    expect(chosen()).toBe('id-3')
  })

  it('chooses several, all and none', async () => {
    const user = userEvent.setup()
    render(<Selecting mode="multiple" />)
    const [all, first] = screen.getAllByRole<HTMLInputElement>('checkbox')
    await user.click(first as HTMLElement)
    expect(chosen()).toBe('id-1')
    expect(all?.indeterminate).toBe(true)
    await user.click(all as HTMLElement)
    expect(chosen()).toBe('id-1 id-2 id-3')
    expect(all?.indeterminate).toBe(false)
    await user.click(all as HTMLElement)
    expect(chosen()).toBe('')
  })
})

describe('columnWidths', () => {
  it('keeps the base widths without room to share', () => {
    expect(columnWidths([240, 160], 0)).toEqual([240, 160])
    expect(columnWidths([240, 160], 300)).toEqual([240, 160])
  })

  it('fills the room exactly and never takes from a column', () => {
    const bases = [240, 160, 97, 33]
    for (let room = 530; room < 2600; room += 37) {
      const widths = columnWidths(bases, room)
      expect(widths.reduce((sum, width) => sum + width, 0)).toBe(room)
      expect(widths.every((width, index) => width >= (bases[index] ?? 0))).toBe(true)
    }
  })
})

describe('the order of columns', () => {
  const wide: Column<Disk>[] = [
    ...columns,
    { id: 'state', header: 'State', isKey: true, cell: () => 'attached' },
  ]

  it('stays where all columns fit and while the room is unknown', () => {
    expect([haveRoom(wide, 560), haveRoom(wide, -44)]).toEqual([true, true])
    expect([haveRoom(wide, 559), haveRoom(wide)]).toEqual([false, false])
  })

  it('has key columns next to the name where they do not', () => {
    expect(importantFirst(wide).map(({ id }) => id)).toEqual(['name', 'state', 'size'])
  })
})
