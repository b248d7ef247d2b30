import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { useForm, type Control, type UseFormReturn } from 'react-hook-form'
import { describe, expect, it, vi } from 'vitest'

import { CheckboxField, CheckboxGroupField } from '~/ui/form/checkbox-field'
import { DescriptionField } from '~/ui/form/description-field'
import { DiskSizeField } from '~/ui/form/disk-size-field'
import { FileField } from '~/ui/form/file-field'
import { FormElement } from '~/ui/form/form-shell'
import { ListboxField } from '~/ui/form/listbox-field'
import { NameField } from '~/ui/form/name-field'
import { NumberField } from '~/ui/form/number-field'
import { PasswordField } from '~/ui/form/password-field'
import { RadioCards, RadioField } from '~/ui/form/radio-field'
import { TextAreaField, TextField } from '~/ui/form/text-field'

interface Values {
  name: string
  text: string
  count: number | null
  choice: string
  choices: string[]
  agreed: boolean
  file: File | null
}

const blank: Values = {
  name: '',
  text: '',
  count: null,
  choice: '',
  choices: [],
  agreed: false,
  file: null,
}

/** Renders fields in a form with a button that sends it. */
function renderFields(
  fields: (control: Control<Values>) => ReactNode,
  defaults: Partial<Values> = {},
) {
  const onSubmit = vi.fn<(values: Values) => void>()
  let form: UseFormReturn<Values> | undefined
  function Host() {
    form = useForm<Values>({ defaultValues: { ...blank, ...defaults } })
    return (
      <FormElement
        calls={null}
        needs={null}
        id="form"
        form={form}
        onSubmit={(values) => onSubmit(values)}
        loading={false}
        submitError={null}
      >
        {fields(form.control)}
        <button type="submit">Send</button>
      </FormElement>
    )
  }
  const user = userEvent.setup()
  render(<Host />)
  return {
    user,
    onSubmit,
    form: () => form as UseFormReturn<Values>,
    send: () => user.click(screen.getByRole('button', { name: 'Send' })),
    sent: () => onSubmit.mock.lastCall?.[0],
  }
}

/** Waits for a message and checks that it is announced at once. */
async function expectMessage(message: string) {
  const found = await screen.findByText(message)
  expect(found.getAttribute('aria-live')).toBe('assertive')
}

describe('every field', () => {
  it('says that it is optional to the eye only, and explains itself in its name', () => {
    renderFields((control) => (
      <TextField control={control} name="text" label="Serial" help="On the back" />
    ))
    expect(screen.getByText('(Optional)').getAttribute('aria-hidden')).toBe('true')
    expect(screen.getByRole('textbox', { name: 'Serial On the back' })).toBeTruthy()
  })

  it('is named after its path without a label', () => {
    renderFields((control) => <TextField control={control} name="text" required />)
    expect(screen.getByRole('textbox', { name: 'Text' })).toBeTruthy()
    expect(screen.queryByText('(Optional)')).toBeNull()
  })

  it('is checked on submit first and on every change after that', async () => {
    const { user, send, onSubmit } = renderFields((control) => (
      <TextField
        control={control}
        name="text"
        label="Colour"
        required
        validate={(value) => (value === 'red' ? undefined : 'Must be red')}
      />
    ))
    const input = screen.getByRole('textbox')
    await user.type(input, 'x')
    await user.tab()
    expect(screen.queryByText('Must be red')).toBeNull()
    await send()
    await expectMessage('Must be red')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('aria-describedby')).toBe(screen.getByText('Must be red').id)
    await user.clear(input)
    await expectMessage('Colour is required')
    await user.type(input, 'red')
    await waitFor(() => expect(input.getAttribute('aria-invalid')).toBeNull())
    await send()
    expect(onSubmit).toHaveBeenCalledOnce()
  })

  it('takes the focus when it is the first wrong one', async () => {
    const { send } = renderFields((control) => (
      <>
        <TextField control={control} name="text" />
        <ListboxField
          control={control}
          name="choice"
          required
          options={[{ value: 'a', label: 'A' }]}
        />
        <NameField control={control} name="name" />
      </>
    ))
    await send()
    await expectMessage('Choice is required')
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choice' })),
    )
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it('is never wrong while disabled, and keeps its value', async () => {
    const { send, sent } = renderFields((control) => (
      <TextField control={control} name="text" required disabled validate={() => 'Never'} />
    ))
    expect(screen.getByRole<HTMLInputElement>('textbox').disabled).toBe(true)
    await send()
    expect(sent()?.text).toBe('')
  })

  it('tells what depends on it about changes', async () => {
    const onChange = vi.fn<(value: string) => void>()
    const { user } = renderFields((control) => (
      <TextField control={control} name="text" onChange={onChange} />
    ))
    await user.type(screen.getByRole('textbox'), 'ab')
    expect(onChange.mock.calls).toEqual([['a'], ['ab']])
  })
})

describe('text fields', () => {
  it('changes what is typed', async () => {
    const { user, send, sent } = renderFields((control) => (
      <TextField control={control} name="text" transform={(text) => text.toLowerCase()} />
    ))
    await user.type(screen.getByRole('textbox'), 'ABC')
    await send()
    expect(sent()?.text).toBe('abc')
  })

  it('takes nothing but white space for nothing', async () => {
    const { send } = renderFields(
      (control) => <TextAreaField control={control} name="text" required />,
      { text: ' \n' },
    )
    await send()
    await expectMessage('Text is required')
  })

  it('hides a password and takes its spaces', async () => {
    const { user, send, sent } = renderFields((control) => (
      <PasswordField
        control={control}
        name="text"
        label="Password"
        required
        autoComplete="new-password"
      />
    ))
    await send()
    await expectMessage('Password is required')
    const input = screen.getByLabelText<HTMLInputElement>('Password')
    expect(input.type).toBe('password')
    expect(input.autocomplete).toBe('new-password')
    await user.type(input, ' ')
    await send()
    expect(sent()?.text).toBe(' ')
  })
})

describe('NameField', () => {
  it.each([
    ['', 'Name is required'],
    ['a'.repeat(64), 'Must be 63 characters or fewer'],
    ['A b', 'Can only contain lower-case letters, numbers, and dashes'],
    ['1a', 'Must start with a lower-case letter'],
    ['a-', 'Must end with a letter or number'],
  ])('refuses %j', async (name, message) => {
    const { send, onSubmit } = renderFields(
      (control) => <NameField control={control} name="name" />,
      { name },
    )
    await send()
    await expectMessage(message)
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('asks the extra check last and keeps password managers away', async () => {
    const { user, send } = renderFields((control) => (
      <NameField control={control} name="name" label="Disk name" validate={() => 'Taken'} />
    ))
    await send()
    await expectMessage('Disk name is required')
    const input = screen.getByRole('textbox', { name: 'Disk name' })
    await user.type(input, 'web')
    await expectMessage('Taken')
    expect(input.getAttribute('data-1p-ignore')).toBe('true')
    expect(input.getAttribute('autocomplete')).toBe('off')
    expect(input.getAttribute('spellcheck')).toBe('false')
  })
})

describe('DescriptionField', () => {
  it('is optional and limited', async () => {
    const { send, user, sent } = renderFields(
      (control) => <DescriptionField control={control} name="text" />,
      {
        text: 'x'.repeat(513),
      },
    )
    await send()
    await expectMessage('A description must be no longer than 512 characters')
    await user.clear(screen.getByRole('textbox', { name: 'Description' }))
    await send()
    expect(sent()?.text).toBe('')
  })
})

describe('NumberField', () => {
  it('is named with its unit, steps, and does not group digits', async () => {
    const { user, send, sent } = renderFields(
      (control) => (
        <NumberField control={control} name="count" label="Memory" unit="MiB" required />
      ),
      { count: 12_345 },
    )
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Memory (MiB)' })
    expect(input.value).toBe('12345')
    await user.click(screen.getByRole('button', { name: 'Increase Memory (MiB)' }))
    expect(input.value).toBe('12346')
    await user.type(input, '{ArrowDown}{ArrowDown}')
    await send()
    expect(sent()?.count).toBe(12_344)
  })

  it('is null when empty, which a required one reports', async () => {
    const { user, send, form } = renderFields(
      (control) => <NumberField control={control} name="count" label="CPUs" required />,
      { count: 4 },
    )
    await user.clear(screen.getByRole('textbox', { name: 'CPUs' }))
    await user.tab()
    expect(form().getValues('count')).toBeNull()
    await send()
    await expectMessage('CPUs is required')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox')))
  })

  it('starts at 0 and is brought within its limits when left', async () => {
    const { user, form } = renderFields((control) => (
      <NumberField control={control} name="count" max={64} />
    ))
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Count' })
    await user.type(input, '-5')
    expect(input.value).toBe('5')
    await user.clear(input)
    await user.type(input, '70')
    await user.tab()
    expect(form().getValues('count')).toBe(64)
    await user.clear(input)
    await user.type(input, '0')
    await user.tab()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Decrease Count' }).disabled).toBe(
      true,
    )
  })

  it('sends what is typed when Enter sends the form', async () => {
    const { user, sent } = renderFields((control) => <NumberField control={control} name="count" />)
    await user.type(screen.getByRole('textbox'), '7{Enter}')
    await waitFor(() => expect(sent()?.count).toBe(7))
  })
})

describe('DiskSizeField', () => {
  it.each([
    [null, undefined, 'Disk size is required'],
    [0, undefined, 'Must be at least 1 GiB'],
    [4, 5, 'Must be at least 5 GiB'],
    [1024, undefined, 'Can be at most 1023 GiB'],
  ])('refuses %s with a minimum of %s', async (count, min, message) => {
    const { form, send } = renderFields(
      (control) => <DiskSizeField control={control} name="count" min={min} />,
      {
        count: 10,
      },
    )
    // As the form itself sets it; what is typed is brought within the limits before.
    form().setValue('count', count)
    fireEvent.submit(document.querySelector('form') as HTMLFormElement)
    await expectMessage(message)
    form().setValue('count', 10)
    await send()
  })

  it('says its unit and clamps', async () => {
    const { user, form } = renderFields((control) => (
      <DiskSizeField control={control} name="count" />
    ))
    await user.type(screen.getByRole('textbox', { name: 'Disk size (GiB)' }), '5000')
    await user.tab()
    expect(form().getValues('count')).toBe(1023)
  })
})

describe('ListboxField', () => {
  const options = [
    { value: 'a', label: 'Alpha', detail: 'The first' },
    { value: 'b', label: 'Beta' },
  ]

  it('is a button named by its label that shows the one-line label of the choice', async () => {
    const { user, send, sent } = renderFields((control) => (
      <ListboxField control={control} name="choice" label="Letter" required options={options} />
    ))
    const button = screen.getByRole('button', { name: 'Letter' })
    expect(button.textContent).toBe('Select an option')
    await send()
    await expectMessage('Letter is required')
    await user.click(button)
    const listbox = await screen.findByRole('listbox')
    expect(
      within(listbox)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['AlphaThe first', 'Beta'])
    await user.click(within(listbox).getByRole('option', { name: 'Alpha' }))
    expect(button.textContent).toBe('Alpha')
    await waitFor(() => expect(screen.queryByText('Letter is required')).toBeNull())
    await send()
    expect(sent()?.choice).toBe('a')
  })

  it('is of no use without options or while they load', () => {
    renderFields((control) => (
      <>
        <ListboxField control={control} name="choice" label="None" options={[]} />
        <ListboxField control={control} name="text" label="Loading" options={options} isLoading />
      </>
    ))
    const none = screen.getByRole<HTMLButtonElement>('button', { name: 'None' })
    expect(none.textContent).toBe('No items')
    expect(none.disabled).toBe(true)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Loading' }).disabled).toBe(true)
    expect(screen.getByLabelText('Loading options')).toBeTruthy()
  })
})

describe('radio fields', () => {
  const options = [
    { value: 'a', label: 'Alpha' },
    { value: 'b', label: 'Beta', detail: 'The second' },
  ]

  it.each([RadioField, RadioCards])('is a group named by its label', async (Field) => {
    const { user, send, sent } = renderFields((control) => (
      <Field control={control} name="choice" label="Letter" options={options} />
    ))
    const group = screen.getByRole('radiogroup', { name: 'Letter' })
    await send()
    await expectMessage('Letter is required')
    await waitFor(() => expect(group.contains(document.activeElement)).toBe(true))
    await user.click(within(group).getByRole('radio', { name: /Beta/ }))
    await send()
    expect(sent()?.choice).toBe('b')
  })
})

describe('checkbox fields', () => {
  it('is yes or no', async () => {
    const { user, send, sent } = renderFields((control) => (
      <CheckboxField control={control} name="agreed" label="Terms" required>
        I agree
      </CheckboxField>
    ))
    await send()
    await expectMessage('Terms is required')
    await user.click(screen.getByRole('checkbox', { name: 'I agree' }))
    await send()
    expect(sent()?.agreed).toBe(true)
  })

  it('shares one array, with a box for all that knows of some', async () => {
    const { user, send, sent } = renderFields((control) => (
      <CheckboxGroupField
        control={control}
        name="choices"
        label="Keys"
        options={[
          { value: 'a', label: 'Alpha' },
          { value: 'b', label: 'Beta' },
          { value: 'c', label: 'Gamma' },
        ]}
      />
    ))
    expect(screen.getByRole('group', { name: 'Keys' })).toBeTruthy()
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
    await user.click(screen.getByRole('checkbox', { name: 'Gamma' }))
    await user.click(screen.getByRole('checkbox', { name: 'Alpha' }))
    expect(all.indeterminate).toBe(true)
    await send()
    expect(sent()?.choices).toEqual(['a', 'c'])
    await user.click(all)
    expect(all.checked).toBe(true)
    await send()
    expect(sent()?.choices).toEqual(['a', 'b', 'c'])
    await user.click(all)
    await send()
    expect(sent()?.choices).toEqual([])
  })
})

describe('FileField', () => {
  it('takes a file, shows it, and lets it go', async () => {
    const { user, send, sent, form } = renderFields((control) => (
      <FileField control={control} name="file" label="Image" accept=".iso,.raw" required />
    ))
    expect(screen.getByText('Drop a file or click to browse')).toBeTruthy()
    expect(screen.getByText('(.iso, .raw)')).toBeTruthy()
    await send()
    await expectMessage('Image is required')
    const name = 'a-very-long-file-name-of-an-operating-system.iso'
    const input = screen.getByLabelText<HTMLInputElement>('Image')
    await user.upload(input, new File(['x'.repeat(2048)], name))
    expect(screen.getByTitle(name).textContent).toBe('a-very-long-fil…ting-system.iso (2 KiB)')
    await send()
    expect(sent()?.file?.name).toBe(name)
    await user.click(screen.getByRole('button', { name: 'Clear file' }))
    expect(form().getValues('file')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(input))
  })
})
