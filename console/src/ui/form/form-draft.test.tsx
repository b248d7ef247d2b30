import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { useController, useForm, useWatch } from 'react-hook-form'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { setDraftOwner, writeDraft } from '~/lib/draft-storage'
import type { SubmitError } from '~/ui/form/form-shell'
import { FullPageForm } from '~/ui/form/full-page-form'
import { MiniTable } from '~/ui/form/mini-table'
import { ModalForm } from '~/ui/form/modal-form'
import { PasswordField } from '~/ui/form/password-field'
import { SideModalForm } from '~/ui/form/side-modal-form'
import { entryAdder, SubForm } from '~/ui/form/sub-form'
import { TextField } from '~/ui/form/text-field'
import { clearToasts, ToastStack } from '~/ui/toast'

import { changedValues, FormDraft } from './form-draft'
import { markSecret } from './secret-fields'

const operation = { name: 'diskCreate' }
const DEFAULTS = { name: '', description: '', phrase: '', ports: [] as string[] }

interface FormProps {
  onSubmit?: (values: typeof DEFAULTS) => void
  onDismiss?: () => void
  loading?: boolean
  submitError?: SubmitError | null
  draftOf?: string
}

/** A form with a field of each kind that matters, in a drawer or a dialog. */
function DiskForm({ Shell = SideModalForm, ...props }: FormProps & { Shell?: typeof ModalForm }) {
  const form = useForm({ defaultValues: DEFAULTS })
  const { control } = form
  return (
    <Shell
      calls={null}
      title="Create disk"
      submitLabel="Send"
      needs={operation}
      form={form}
      loading={false}
      submitError={null}
      onSubmit={() => undefined}
      onDismiss={() => undefined}
      {...props}
    >
      <TextField name="name" control={control} />
      <TextField name="description" control={control} />
      <PasswordField name="phrase" control={control} autoComplete="new-password" />
      <Ports form={form} />
    </Shell>
  )
}

function Ports({ form: outer }: { form: ReturnType<typeof useForm<typeof DEFAULTS>> }) {
  const { field } = useController({ control: outer.control, name: 'ports' })
  const form = useForm({ defaultValues: { port: '' } })
  const port = useWatch({ control: form.control, name: 'port' })
  const add = entryAdder(form.handleSubmit, (entry) => {
    field.onChange([...field.value, entry.port])
    form.reset()
  })
  return (
    <>
      <SubForm
        name="port"
        form={form}
        addLabel="Add port"
        isBlank={port === ''}
        onAdd={add}
        onClear={() => form.reset()}
      >
        <TextField name="port" control={form.control} />
      </SubForm>
      <MiniTable
        aria-label="Ports"
        columns={[{ header: 'Port', cell: (each) => each }]}
        items={field.value}
        rowKey={String}
        onRemove={() => undefined}
      />
    </>
  )
}

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const stored = () => JSON.stringify({ ...sessionStorage, ...localStorage })
const restored = () => screen.findByText(/^Restored what you had typed/)

/** Types, and waits until it is kept. */
async function type(name: RegExp, text: string) {
  await userEvent.type(field(name), text)
  await waitFor(() => expect(stored()).toContain(text))
}

/** Waits until a draft would have been restored. */
const keeperIsThere = () =>
  waitFor(() => expect(document.querySelector('form [role=status]')).toBeTruthy())

/** The form goes away without an answer, as on a reload or a step back. */
const goAway = () => cleanup()

beforeEach(() => {
  window.history.replaceState(null, '', '/projects/web/disks-new')
  setDraftOwner('ann')
})
afterEach(() => {
  clearToasts()
  sessionStorage.clear()
})

describe('a form that is opened again', () => {
  it('has what was typed and says so', async () => {
    render(<DiskForm />)
    await type(/Name/, 'db')
    goAway()
    render(<DiskForm />)
    await restored()
    expect(field(/Name/).value).toBe('db')
    expect(field(/Description/).value).toBe('')
    // Closing it asks, as before.
    await press('Close')
    await screen.findByRole('alertdialog')
  })

  it('has its lists, and the entries that were not added to them', async () => {
    render(<DiskForm />)
    await type(/Port/, '443')
    await press('Add port')
    await type(/Port/, '8080')
    goAway()
    render(<DiskForm />)
    await waitFor(() => expect(field(/Port/).value).toBe('8080'))
    expect(screen.getByRole('table', { name: 'Ports' }).textContent).toContain('443')
  })

  it('keeps no password, and says that it is missing', async () => {
    render(<DiskForm />)
    await userEvent.type(screen.getByLabelText(/Phrase/), 'correct horse')
    await type(/Name/, 'db')
    expect(stored()).not.toContain('correct')
    goAway()
    render(<DiskForm />)
    expect((await restored()).textContent).toContain('Passwords, keys and files are not kept.')
    expect(screen.getByLabelText<HTMLInputElement>(/Phrase/).value).toBe('')
  })

  it('begins anew when the draft is discarded, with the focus in the first field', async () => {
    render(<DiskForm />)
    await type(/Name/, 'db')
    await type(/Port/, '443')
    goAway()
    render(<DiskForm />)
    await restored()
    await press('Discard draft')
    expect(field(/Name/).value).toBe('')
    expect(field(/Port/).value).toBe('')
    expect(document.activeElement).toBe(field(/Name/))
    expect(screen.queryByText(/Restored/)).toBeNull()
    expect(stored()).not.toContain('db')
    goAway()
    render(<DiskForm />)
    await keeperIsThere()
    expect(field(/Name/).value).toBe('')
  })

  it('keeps what was typed before the draft was found', () => {
    const place = { path: '/', form: 'diskCreate' }
    const values = { name: 'db', description: 'main', ports: 'of an earlier version' }
    writeDraft(place, 'ann', { at: Date.now(), values, entries: {}, isPartial: false })
    const { current: form } = renderHook(() => useForm({ defaultValues: DEFAULTS })).result
    act(() => form.setValue('name', 'web', { shouldDirty: true }))
    act(() => void new FormDraft(place, 'ann').follow(form))
    expect(form.getValues()).toEqual({ ...DEFAULTS, name: 'web', description: 'main' })
  })

  it('is another one at another address, or about something else', async () => {
    render(<DiskForm />)
    await type(/Name/, 'db')
    goAway()
    for (const [path, draftOf] of [
      ['/projects/api/disks-new', undefined],
      ['/projects/web/disks-new', 'row-2'],
    ]) {
      window.history.replaceState(null, '', path)
      render(<DiskForm draftOf={draftOf} />)
      expect(screen.queryByText(/Restored/)).toBeNull()
      expect(field(/Name/).value).toBe('')
      cleanup()
    }
  })
})

describe('a draft is removed', () => {
  it('when the form was sent', async () => {
    const { rerender, unmount } = render(<DiskForm />)
    await type(/Name/, 'db')
    rerender(<DiskForm loading />)
    unmount()
    expect(stored()).not.toContain('db')
  })

  it('when the form is closed at once by what it sends', async () => {
    function Opener() {
      const [isOpen, setOpen] = useState(true)
      return isOpen ? <DiskForm onSubmit={() => setOpen(false)} /> : <p>closed</p>
    }
    render(<Opener />)
    await type(/Name/, 'db')
    await press('Send')
    await screen.findByText('closed')
    expect(stored()).not.toContain('db')
  })

  it('when the form is left after the question, or canceled', async () => {
    const { unmount } = render(<DiskForm onDismiss={() => unmount()} />)
    await type(/Name/, 'db')
    await press('Close')
    await userEvent.click(await screen.findByRole('button', { name: 'Leave form' }))
    expect(stored()).not.toContain('db')
    const again = render(<DiskForm Shell={ModalForm} onDismiss={() => again.unmount()} />)
    await type(/Name/, 'web')
    await press('Cancel')
    expect(stored()).not.toContain('web')
  })

  it('when everything is as it was', async () => {
    render(<DiskForm />)
    await type(/Name/, 'db')
    await userEvent.clear(field(/Name/))
    await waitFor(() => expect(sessionStorage.length).toBe(0))
  })
})

describe('a draft stays', () => {
  it('when sending failed', async () => {
    const { rerender, unmount } = render(<DiskForm />)
    await type(/Name/, 'db')
    rerender(<DiskForm loading />)
    rerender(<DiskForm submitError={{ message: 'Quota exceeded' }} />)
    unmount()
    expect(stored()).toContain('db')
  })

  it('when a step back takes the form away, which says so', async () => {
    render(<ToastStack />)
    const { unmount } = render(<DiskForm />)
    await type(/Name/, 'db')
    window.history.replaceState(null, '', '/projects/web/disks')
    unmount()
    await screen.findByText(/What you entered is kept/)
    expect(stored()).toContain('db')
  })

  it('without a word when nothing was entered', async () => {
    render(<ToastStack />)
    const { unmount } = render(<DiskForm />)
    await keeperIsThere()
    window.history.replaceState(null, '', '/projects/web/disks')
    unmount()
    expect(screen.getByTestId('Toasts').textContent).toBe('')
  })
})

it('asks before a page is left, and gives the draft up with it', async () => {
  const leave = vi.fn<() => void>()
  function Page({ isBlocked }: { isBlocked: boolean }) {
    const form = useForm({ defaultValues: DEFAULTS })
    return (
      <FullPageForm
        calls={null}
        needs={operation}
        form={form}
        submitLabel="Create"
        onSubmit={() => undefined}
        onCancel={() => undefined}
        loading={false}
        submitError={null}
        guard={{ isBlocked, stay: () => undefined, leave }}
        renderActions={(actions) => actions}
      >
        <TextField name="name" control={form.control} />
      </FullPageForm>
    )
  }
  const { rerender, unmount } = render(<Page isBlocked={false} />)
  await type(/Name/, 'db')
  rerender(<Page isBlocked />)
  await userEvent.click(await screen.findByRole('button', { name: 'Leave this page' }))
  expect(leave).toHaveBeenCalledOnce()
  act(unmount)
  expect(stored()).not.toContain('db')
})

describe('changedValues', () => {
  const control = {}

  it.each([
    ['a field that is a password', { password: 'a' }],
    ['a field that is a token', { accessToken: 'a' }],
    ['a field that is a secret', { clientSecret: 'a' }],
    ['a field that was marked', { pin: 'a' }],
    ['a file', { userData: new File(['a'], 'a') }],
    ['a file inside of a list', { parts: [{ file: new File(['a'], 'a') }] }],
    ['a private key in any field', { note: '-----BEGIN RSA PRIVATE KEY-----\na' }],
    ['a certificate with its key', { certificates: [{ name: 'a', key: 'b' }] }],
    ['a date, which cannot be stored as it is', { until: new Date(0) }],
  ])('leaves out %s', (_, values) => {
    markSecret(control, 'pin')
    expect(changedValues(control, { ...values, name: 'x' }, {})).toEqual({
      values: { name: 'x' },
      hasSecrets: true,
    })
  })

  it('takes public keys, and only what differs', () => {
    const values = {
      publicKey: 'ssh-ed25519 AAAA',
      sshKeys: ['id'],
      name: 'a',
      disks: [{ name: 'b', size: 1 }],
      nothing: undefined,
    }
    const defaults = { name: 'a', disks: [{ name: 'b', size: 1 }] }
    expect(changedValues(control, values, defaults)).toEqual({
      values: { publicKey: 'ssh-ed25519 AAAA', sshKeys: ['id'] },
      hasSecrets: false,
    })
  })
})
