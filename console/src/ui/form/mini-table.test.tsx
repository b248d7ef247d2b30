import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { describe, expect, it, vi } from 'vitest'

import { ComboboxField } from '~/ui/form/combobox-field'
import { FormElement } from '~/ui/form/form-shell'
import { MiniTable, SubForm } from '~/ui/form/mini-table'
import { TextField } from '~/ui/form/text-field'

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

describe('SubForm', () => {
  function Ports({ onSend }: { onSend: () => void }) {
    const [ports, setPorts] = useState<string[]>([])
    const outer = useForm({ defaultValues: {} })
    const inner = useForm({ defaultValues: { port: '' } })
    return (
      <FormElement id="outer" form={outer} onSubmit={onSend} loading={false} submitError={null}>
        <SubForm
          addLabel="Add port"
          isBlank={inner.watch('port') === ''}
          onClear={() => inner.reset()}
          onAdd={() =>
            void inner.handleSubmit(({ port }) => {
              setPorts([...ports, port])
              inner.reset()
            })()
          }
        >
          <TextField control={inner.control} name="port" required />
        </SubForm>
        <output>{ports.join(' ')}</output>
      </FormElement>
    )
  }

  it('adds by button or Enter, and does not send the form around it', async () => {
    const onSend = vi.fn<() => void>()
    const user = userEvent.setup()
    render(<Ports onSend={onSend} />)
    const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add port' })
    const clear = screen.getByRole<HTMLButtonElement>('button', { name: 'Clear' })
    expect([add.disabled, clear.disabled]).toEqual([true, true])
    const input = screen.getByRole('textbox')
    await user.type(input, '22{Enter}')
    expect(await screen.findByText('22')).toBeTruthy()
    await user.type(input, '80')
    await user.click(add)
    expect(await screen.findByText('22 80')).toBeTruthy()
    await user.type(input, '443')
    await user.click(clear)
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('')
    await user.type(input, '{Enter}')
    expect(screen.queryByText('Port is required')).toBeNull()
    expect(screen.getByText('22 80')).toBeTruthy()
    expect(onSend).not.toHaveBeenCalled()
  })

  it('lets Enter choose in an open list first', async () => {
    const onAdd = vi.fn<() => void>()
    const user = userEvent.setup()
    function Vpcs() {
      const form = useForm({ defaultValues: { vpc: '' } })
      return (
        <SubForm addLabel="Add" isBlank={false} onClear={vi.fn<() => void>()} onAdd={onAdd}>
          <ComboboxField
            control={form.control}
            name="vpc"
            allowsCustomValue
            options={[{ value: 'web', label: 'web' }]}
          />
        </SubForm>
      )
    }
    render(<Vpcs />)
    await user.type(screen.getByRole('combobox'), 'other{Enter}')
    expect(onAdd).not.toHaveBeenCalled()
    await user.keyboard('{Enter}')
    expect(onAdd).toHaveBeenCalledOnce()
  })
})
