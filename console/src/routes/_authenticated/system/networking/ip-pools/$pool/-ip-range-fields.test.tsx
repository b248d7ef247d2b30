import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { expect, it, vi } from 'vitest'

import { FormElement } from '~/ui/form/form-shell'

import { IpRangeFields } from './-ip-range-fields'
import type { IpRangeValues } from './-ip-range-fields'

function show() {
  const onSubmit = vi.fn<(values: IpRangeValues) => void>()
  function Host() {
    const form = useForm<IpRangeValues>({ defaultValues: { first: '', last: '' } })
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
        <IpRangeFields form={form} />
        <button type="submit">Add IP range</button>
      </FormElement>
    )
  }
  render(<Host />)
  const user = userEvent.setup()
  const field = (name: RegExp) => screen.getByRole('textbox', { name })
  const enter = async (name: RegExp, text: string) => {
    await user.clear(field(name))
    if (text) await user.type(field(name), text)
  }
  return {
    onSubmit,
    first: (text: string) => enter(/^First/, text),
    last: (text: string) => enter(/^Last/, text),
    send: () => user.click(screen.getByRole('button', { name: 'Add IP range' })),
    messages: () => ({ first: messageOf(field(/^First/)), last: messageOf(field(/^Last/)) }),
  }
}

function messageOf(field: HTMLElement): string | undefined {
  const id = field.getAttribute('aria-describedby')
  return id ? (document.getElementById(id)?.textContent ?? undefined) : undefined
}

const NO_ADDRESS = 'Not a valid IP address'
const NOT_V4 = 'Must be an IPv4 address, like the first one'
const NOT_V6 = 'Must be an IPv6 address, like the first one'
const TOO_LOW = 'Must not be lower than the first address'

it('checks both ends together, and then as they are edited', async () => {
  const { first, last, send, messages, onSubmit } = show()
  await first('abc')
  expect(messages()).toEqual({ first: undefined, last: undefined })
  await send()
  expect(messages()).toEqual({ first: NO_ADDRESS, last: NO_ADDRESS })
  await first('fd00::1')
  expect(messages()).toEqual({ first: undefined, last: NO_ADDRESS })
  await last('10.0.0.9')
  expect(messages()).toEqual({ first: undefined, last: NOT_V6 })
  await last('fd00::0')
  expect(messages()).toEqual({ first: undefined, last: TOO_LOW })
  await first('10.0.0.10')
  expect(messages()).toEqual({ first: undefined, last: NOT_V4 })
  await last('10.0.0.9')
  expect(messages()).toEqual({ first: undefined, last: TOO_LOW })
  await first('10.0.0.9')
  expect(messages()).toEqual({ first: undefined, last: undefined })
  expect(onSubmit).not.toHaveBeenCalled()
  await send()
  expect(onSubmit).toHaveBeenCalledWith({ first: '10.0.0.9', last: '10.0.0.9' })
})

it('takes ranges of IPv6, however long', async () => {
  const { first, last, send, onSubmit } = show()
  await first('::')
  await last('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')
  await send()
  expect(onSubmit).toHaveBeenCalledWith({
    first: '::',
    last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  })
})
