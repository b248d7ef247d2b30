import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { describe, expect, it, vi } from 'vitest'

import { ComboboxField } from '~/ui/form/combobox-field'
import { FormElement } from '~/ui/form/form-shell'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'

describe('SubForm', () => {
  function Ports({ onSend }: { onSend: () => void }) {
    const [ports, setPorts] = useState<string[]>([])
    const outer = useForm({ defaultValues: {} })
    const inner = useForm({ defaultValues: { port: '' } })
    return (
      <FormElement
        calls={null}
        needs={null}
        id="outer"
        form={outer}
        onSubmit={onSend}
        loading={false}
        submitError={null}
      >
        <SubForm
          name="port"
          form={inner}
          addLabel="Add port"
          isBlank={inner.watch('port') === ''}
          onClear={() => inner.reset()}
          onAdd={entryAdder(inner.handleSubmit, ({ port }) => {
            setPorts([...ports, port])
            inner.reset()
          })}
        >
          <TextField
            control={inner.control}
            name="port"
            required
            validate={(port) => (/^\d+$/.test(port) ? undefined : 'Not a port')}
          />
        </SubForm>
        <output>{ports.join(' ')}</output>
        <button type="submit">Send</button>
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

  it('adds what is typed when the form around it is sent', async () => {
    const onSend = vi.fn<() => void>()
    const user = userEvent.setup()
    render(<Ports onSend={() => onSend()} />)
    await user.type(screen.getByRole('textbox'), '443')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(onSend).toHaveBeenCalledOnce())
    expect(screen.getByText('443')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('')
  })

  it('does not let the form around it be sent while what is typed is wrong', async () => {
    const onSend = vi.fn<() => void>()
    const user = userEvent.setup()
    render(<Ports onSend={onSend} />)
    await user.type(screen.getByRole('textbox'), 'https')
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Not a port')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox')))
    expect(onSend).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(onSend).toHaveBeenCalledOnce())
  })

  it('lets Enter choose in an open list first', async () => {
    const onAdd = vi.fn(() => Promise.resolve(true))
    const user = userEvent.setup()
    function Vpcs() {
      const form = useForm({ defaultValues: { vpc: '' } })
      return (
        <SubForm
          name="vpc"
          form={form}
          addLabel="Add"
          isBlank={false}
          onClear={vi.fn<() => void>()}
          onAdd={onAdd}
        >
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
