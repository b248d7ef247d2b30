import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'

import { MiniTable } from '~/ui/form/mini-table'

const columns = [{ header: 'Port', cell: (port: string) => port }]

describe('MiniTable', () => {
  it('disappears without rows unless it has something to say', () => {
    const props = { 'aria-label': 'Ports', columns, rowKey: String, onRemove: vi.fn<() => void>() }
    const { rerender } = render(<MiniTable {...props} items={[]} />)
    expect(screen.queryByRole('table')).toBeNull()
    rerender(<MiniTable {...props} items={[]} emptyMessage="No ports" />)
    expect(screen.getByRole('table', { name: 'Ports' }).textContent).toContain('No ports')
  })

  it('has numbered rows that can be reached and removed', async () => {
    const onRemove = vi.fn<(port: string, index: number) => void>()
    const { rerender } = render(
      <MiniTable
        aria-label="Ports"
        columns={columns}
        rowKey={String}
        items={['22', '80']}
        onRemove={onRemove}
      />,
    )
    const rows = screen.getAllByRole('row').slice(1)
    expect(rows.map((row) => [row.tabIndex, row.getAttribute('aria-rowindex')])).toEqual([
      [0, '1'],
      [0, '2'],
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Remove item 2' }))
    expect(onRemove).toHaveBeenCalledWith('80', 1)
    rerender(
      <MiniTable
        aria-label="Ports"
        columns={columns}
        rowKey={String}
        items={['22']}
        onRemove={onRemove}
        removeLabel={(port) => `remove port ${port}`}
      />,
    )
    expect(screen.getByRole('button', { name: 'remove port 22' })).toBeTruthy()
  })
})
