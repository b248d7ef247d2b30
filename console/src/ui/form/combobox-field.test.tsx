import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { describe, expect, it, vi } from 'vitest'

import { ComboboxField, type ComboboxFieldProps } from '~/ui/form/combobox-field'
import { FormElement } from '~/ui/form/form-shell'

interface Values {
  image: string
}

const options = [
  { value: 'u22', label: 'Ubuntu 22.04' },
  { value: 'arch', label: 'Arch Linux' },
  { value: 'u20', label: 'Ubuntu 20.04' },
]

function renderCombobox(props: Partial<ComboboxFieldProps<Values, 'image'>> = {}, image = '') {
  const onSubmit = vi.fn<(values: Values) => void>()
  let form: UseFormReturn<Values> | undefined
  function Host() {
    form = useForm<Values>({ defaultValues: { image } })
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
        <ComboboxField control={form.control} name="image" options={options} {...props} />
        <button type="submit">Send</button>
      </FormElement>
    )
  }
  const user = userEvent.setup()
  render(<Host />)
  return {
    user,
    onSubmit,
    input: screen.getByRole<HTMLInputElement>('combobox', { name: 'Image' }),
    value: () => form?.getValues('image'),
    form: () => form as UseFormReturn<Values>,
    options: () => screen.queryAllByRole('option').map((option) => option.textContent),
    send: () => user.click(screen.getByRole('button', { name: 'Send' })),
  }
}

describe('ComboboxField', () => {
  it('leaves what is around the open list in reach, and names the list after the field', async () => {
    const { user, input } = renderCombobox()
    await user.click(input)
    expect(screen.getByRole('region', { name: 'Image' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(input.closest('[data-live-announcer]')).toBeNull()
  })

  it('opens on focus with everything', async () => {
    const { user, input, options } = renderCombobox()
    expect(input.placeholder).toBe('Select an option')
    await user.click(input)
    expect(await screen.findByRole('listbox')).toBeTruthy()
    expect(options()).toEqual(['Ubuntu 22.04', 'Arch Linux', 'Ubuntu 20.04'])
  })

  it('filters ignoring case and spaces, in the order given', async () => {
    const { user, input, options } = renderCombobox()
    await user.type(input, 'UBUNTU2')
    expect(options()).toEqual(['Ubuntu 22.04', 'Ubuntu 20.04'])
    await user.type(input, '  0')
    expect(options()).toEqual(['Ubuntu 20.04'])
  })

  it('takes the first match on Enter without sending the form', async () => {
    const { user, input, value, onSubmit } = renderCombobox()
    await user.type(input, 'arch')
    await waitFor(() => expect(input.getAttribute('aria-activedescendant')).toBeTruthy())
    await user.keyboard('{Enter}')
    expect(value()).toBe('arch')
    expect(input.value).toBe('Arch Linux')
    expect(onSubmit).not.toHaveBeenCalled()
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it('says that nothing matches and drops such text', async () => {
    const { user, input, options, value } = renderCombobox({}, 'arch')
    expect(input.value).toBe('Arch Linux')
    await user.clear(input)
    await user.type(input, 'plan9')
    expect(options()).toEqual(['No items match'])
    await user.tab()
    await waitFor(() => expect(input.value).toBe(''))
    expect(value()).toBe('')
  })

  it('follows a value that the form sets', async () => {
    const { form, input } = renderCombobox()
    form().setValue('image', 'u20')
    await waitFor(() => expect(input.value).toBe('Ubuntu 20.04'))
    form().setValue('image', '')
    await waitFor(() => expect(input.value).toBe(''))
  })

  it('is reported empty, with the focus but without opening', async () => {
    const { input, send, onSubmit } = renderCombobox({ required: true })
    await send()
    expect(await screen.findByText('Image is required')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(input))
    expect(input.getAttribute('aria-expanded')).toBe('false')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('can be disabled and can have nothing to offer', async () => {
    const { input } = renderCombobox({ disabled: true })
    expect(input.disabled).toBe(true)
  })

  it('says so when there is nothing to offer', async () => {
    const { user, input, options } = renderCombobox({ options: [] })
    await user.click(input)
    expect(options()).toEqual(['No items'])
  })
})

describe('ComboboxField with custom values', () => {
  const custom = { allowsCustomValue: true }

  it('takes every keystroke and offers the text', async () => {
    const { user, input, value, options } = renderCombobox(custom)
    expect(input.placeholder).toBe('Select an option or enter a custom value')
    await user.type(input, 'arc')
    expect(value()).toBe('arc')
    expect(options()).toEqual(['Arch Linux', 'Custom: arc'])
    await user.tab()
    expect(value()).toBe('arc')
    expect(input.value).toBe('arc')
  })

  it('does not offer text that is an option', async () => {
    const { user, input, options } = renderCombobox(custom)
    await user.type(input, 'Arch Linux')
    expect(options()).toEqual(['Arch Linux'])
  })

  it('shows the value of a chosen option, and everything when opened again', async () => {
    const { user, input, value, options } = renderCombobox(custom)
    await user.type(input, 'ubuntu 20')
    await user.click(screen.getByRole('option', { name: 'Ubuntu 20.04' }))
    expect(value()).toBe('u20')
    expect(input.value).toBe('u20')
    expect(screen.queryByRole('listbox')).toBeNull()
    await user.tab()
    await user.click(input)
    expect(options()).toEqual(['Ubuntu 22.04', 'Arch Linux', 'Ubuntu 20.04'])
  })

  it('chooses with the first Enter and does something else with the second', async () => {
    const onEnter = vi.fn<() => void>()
    const { user, input, value, onSubmit } = renderCombobox({ ...custom, onEnter })
    await user.type(input, 'zzz')
    await user.keyboard('{Enter}')
    expect(value()).toBe('zzz')
    expect(onEnter).not.toHaveBeenCalled()
    await waitFor(() => expect(input.getAttribute('aria-expanded')).toBe('false'))
    await user.keyboard('{Enter}')
    expect(onEnter).toHaveBeenCalledOnce()
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('is emptied with its value', async () => {
    const { user, input, form } = renderCombobox(custom)
    await user.type(input, 'abc')
    form().setValue('image', '')
    await waitFor(() => expect(input.value).toBe(''))
  })
})
