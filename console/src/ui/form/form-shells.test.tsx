import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { describe, expect, it, vi } from 'vitest'

import type { SubmitError } from '~/ui/form/form-shell'
import { FullPageForm, type LeaveGuard } from '~/ui/form/full-page-form'
import { ModalForm } from '~/ui/form/modal-form'
import { NameField } from '~/ui/form/name-field'
import { SideModalForm, type SideModalFormProps } from '~/ui/form/side-modal-form'

interface Values {
  name: string
}

const taken: SubmitError = { message: 'Disk name already exists', errorCode: 'ObjectAlreadyExists' }

function DiskForm({
  children,
  ...props
}: Partial<SideModalFormProps<Values>> & { children?: ReactNode }) {
  const form = useForm<Values>({ defaultValues: { name: 'web' } })
  return (
    <SideModalForm
      calls={null}
      needs={null}
      form={form}
      title="Create disk"
      onSubmit={vi.fn<() => void>()}
      onDismiss={vi.fn<() => void>()}
      loading={false}
      submitError={null}
      {...props}
    >
      <NameField control={form.control} name="name" />
      {children}
    </SideModalForm>
  )
}

describe('SideModalForm', () => {
  it.each([
    [{}, 'Create disk', 'Create disk'],
    [{ title: 'Attach disk' }, 'Attach disk', 'Attach disk'],
    [{ title: 'Attach disk', submitLabel: 'Attach' }, 'Attach disk', 'Attach'],
  ])('with %j is titled %s and sent by %s', (props, title, submit) => {
    render(<DiskForm {...props} />)
    const dialog = screen.getByRole('dialog', { name: title })
    expect(within(dialog).getByRole('button', { name: submit })).toBeTruthy()
  })

  it('has no footer when there is nothing to send', () => {
    render(<DiskForm title="View disk" onSubmit={undefined} />)
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy()
  })

  it('is sent by its button and by Enter, but not twice', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<(values: Values) => void>()
    const { rerender } = render(<DiskForm onSubmit={(values) => onSubmit(values)} />)
    await user.click(screen.getByRole('button', { name: 'Create disk' }))
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ name: 'web' }))
    await user.type(screen.getByRole('textbox'), '{Enter}')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(2))
    rerender(<DiskForm onSubmit={(values) => onSubmit(values)} loading />)
    await user.type(screen.getByRole('textbox'), '{Enter}')
    await user.click(screen.getByRole('button', { name: /Create disk/ }))
    expect(onSubmit).toHaveBeenCalledTimes(2)
  })

  it('keeps the focus in the field that Enter was pressed in', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<(values: Values) => void>()
    const clicked = vi.fn<() => void>()
    render(<DiskForm onSubmit={(values) => onSubmit(values)} />)
    screen.getByRole('button', { name: 'Create disk' }).addEventListener('click', clicked)
    await user.type(screen.getByRole('textbox'), '{Enter}')
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
    // A click that no pointer made would be taken for that of a screen reader.
    expect(clicked).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })

  it('asks before unsaved changes are lost, except on Cancel', async () => {
    const user = userEvent.setup()
    const onDismiss = vi.fn<() => void>()
    render(<DiskForm onDismiss={onDismiss} />)
    await user.type(screen.getByRole('textbox'), '-2')
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(onDismiss).not.toHaveBeenCalled()
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    await waitFor(() => expect(screen.queryByText('Confirm navigation')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onDismiss).toHaveBeenCalledOnce()
  })

  it('says that the name is taken at the name, too, until it changes', async () => {
    const user = userEvent.setup()
    const { rerender } = render(<DiskForm />)
    rerender(<DiskForm submitError={taken} />)
    expect(await screen.findByText('Name already exists')).toBeTruthy()
    expect(screen.getByText('Disk name already exists')).toBeTruthy()
    const input = screen.getByRole('textbox')
    await waitFor(() => expect(document.activeElement).toBe(input))
    await user.click(screen.getByRole('button', { name: 'Create disk' }))
    await user.type(input, '-2')
    await waitFor(() => expect(screen.queryByText('Name already exists')).toBeNull())
  })

  it('leaves other failures to the banner', async () => {
    const { rerender } = render(<DiskForm />)
    rerender(<DiskForm submitError={{ message: 'Quota exceeded', errorCode: 'InvalidRequest' }} />)
    expect(await screen.findByText('Quota exceeded')).toBeTruthy()
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBeNull()
  })

  it('says why it cannot be sent', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<() => void>()
    render(<DiskForm onSubmit={onSubmit} submitDisabledReason="Stop the instance first" />)
    const submit = screen.getByRole('button', { name: 'Create disk' })
    await user.tab()
    await user.tab()
    expect(document.activeElement).toBe(submit)
    expect((await screen.findByRole('tooltip', { hidden: true })).textContent).toBe(
      'Stop the instance first',
    )
    await user.click(submit)
    await user.type(screen.getByRole('textbox'), '{Enter}')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('keeps a form that it opens from sending it, too', async () => {
    const user = userEvent.setup()
    const onOuter = vi.fn<() => void>()
    const onInner = vi.fn<() => void>()
    function Outer() {
      const [isOpen, setIsOpen] = useState(false)
      return (
        <DiskForm onSubmit={onOuter}>
          <button type="button" onClick={() => setIsOpen(true)}>
            Open
          </button>
          {isOpen && <DiskForm title="Inner" onSubmit={() => onInner()} />}
        </DiskForm>
      )
    }
    render(<Outer />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await user.click(screen.getByRole('button', { name: 'Inner' }))
    await waitFor(() => expect(onInner).toHaveBeenCalledOnce())
    expect(onOuter).not.toHaveBeenCalled()
  })
})

describe('ModalForm', () => {
  it('shows the failure on top and sends', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<(values: Values) => void>()
    const onDismiss = vi.fn<() => void>()
    function Host() {
      const form = useForm<Values>({ defaultValues: { name: 'web' } })
      return (
        <ModalForm
          calls={null}
          needs={null}
          form={form}
          title="Add member"
          submitLabel="Add"
          onSubmit={(values) => onSubmit(values)}
          onDismiss={onDismiss}
          loading={false}
          submitError={{ message: 'Not possible' }}
        >
          <NameField control={form.control} name="name" />
        </ModalForm>
      )
    }
    render(<Host />)
    const dialog = screen.getByRole('dialog', { name: 'Add member' })
    expect(within(dialog).getByRole('alert').textContent).toBe('ErrorNot possible')
    await user.click(screen.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ name: 'web' }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onDismiss).toHaveBeenCalledOnce()
  })
})

describe('FullPageForm', () => {
  function Page({ guard, onSubmit }: { guard: LeaveGuard; onSubmit: () => void }) {
    const form = useForm<Values>({ defaultValues: { name: '' } })
    const [error] = useState<SubmitError>({ message: 'Not enough room' })
    return (
      <FullPageForm
        calls={null}
        needs={null}
        form={form}
        submitLabel="Create instance"
        onSubmit={onSubmit}
        onCancel={vi.fn<() => void>()}
        loading={false}
        submitError={error}
        guard={guard}
        renderActions={(actions) => <footer>{actions}</footer>}
      >
        <NameField control={form.control} name="name" />
      </FullPageForm>
    )
  }

  it('shows its failure beside its buttons and focuses the first mistake', async () => {
    const user = userEvent.setup()
    const onSubmit = vi.fn<() => void>()
    const guard = { isBlocked: false, stay: vi.fn<() => void>(), leave: vi.fn<() => void>() }
    render(<Page guard={guard} onSubmit={onSubmit} />)
    expect(screen.getByText('Not enough room')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Create instance' }))
    expect(await screen.findByText('Name is required')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox')))
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('asks when a navigation waits', async () => {
    const user = userEvent.setup()
    const guard = { isBlocked: true, stay: vi.fn<() => void>(), leave: vi.fn<() => void>() }
    render(<Page guard={guard} onSubmit={vi.fn<() => void>()} />)
    expect(await screen.findByRole('alertdialog', { name: 'Confirm navigation' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Leave this page' }))
    expect(guard.leave).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('button', { name: 'Continue editing' }))
    expect(guard.stay).toHaveBeenCalled()
  })
})
