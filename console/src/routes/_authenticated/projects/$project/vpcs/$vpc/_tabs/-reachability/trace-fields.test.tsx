import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { FormElement } from '~/ui/form/form-shell'

import { TraceFields } from './trace-fields'
import { traceBody } from './trace-form'
import { TRACE_FORM_DEFAULTS } from './trace-search'

const nic = (name: string, primary: boolean) => ({
  id: `id-of-${name}`,
  name,
  primary,
  ip: '10.0.0.5',
})

beforeEach(() => {
  queryClient.clear()
  configureTransport({
    fetch: async (url) => {
      const items = url.startsWith('/v1/instances')
        ? [
            { name: 'front', description: '' },
            { name: 'db', description: '' },
          ]
        : [nic('net0', true), nic('net1', false)]
      return Response.json({ items, next_page: null })
    },
  })
})

function Form({ onAsk }: { onAsk: (body: object) => void }) {
  const form = useForm({ defaultValues: TRACE_FORM_DEFAULTS })
  return (
    <FormElement
      calls={null}
      needs={null}
      id="trace"
      form={form}
      onSubmit={(values) => onAsk(traceBody(values))}
      loading={false}
      submitError={null}
    >
      <TraceFields form={form} project="web" />
      <button type="submit">Ask</button>
    </FormElement>
  )
}

function show() {
  const onAsk = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <Form onAsk={onAsk} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), onAsk }
}

type User = ReturnType<typeof userEvent.setup>

async function choose(user: User, field: string, option: string | RegExp) {
  await user.click(screen.getByRole('button', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}

async function chooseInstance(user: User, field: string, name: string) {
  await user.click(screen.getByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name }))
}

const ask = (user: User) => user.click(screen.getByRole('button', { name: 'Ask' }))

describe('TraceFields', () => {
  it('asks from a further interface of an instance to another instance', async () => {
    const { user, onAsk } = show()
    await chooseInstance(user, 'Source instance', 'front')
    await choose(user, 'Source interface', /^net1/)
    await chooseInstance(user, 'Destination instance', 'db')
    await ask(user)
    await waitFor(() => expect(onAsk).toHaveBeenCalledOnce())
    expect(onAsk.mock.calls[0]?.[0]).toMatchObject({
      source: { type: 'interface', value: 'id-of-net1' },
      destination: { type: 'instance', value: 'db' },
      protocol: 'tcp',
      port: 22,
    })
  })

  it('says what is missing, and what is no address or port', async () => {
    const { user, onAsk } = show()
    await choose(user, 'Destination type', 'IP address')
    await user.type(screen.getByRole('textbox', { name: /^Destination address/ }), '10.0.0')
    const port = screen.getByRole('textbox', { name: 'Destination port' })
    await user.clear(port)
    await user.type(port, '70000')
    await ask(user)
    expect(await screen.findByText('Source instance is required')).toBeDefined()
    expect(screen.getByText('Not a valid IP address')).toBeDefined()
    expect(screen.getByText('Must be a number from 1 to 65535')).toBeDefined()
    expect(onAsk).not.toHaveBeenCalled()
  })

  it('asks for what the protocol has', async () => {
    const { user } = show()
    await choose(user, 'Protocol', 'ICMP')
    expect(screen.queryByRole('textbox', { name: 'Destination port' })).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^ICMP type/ }).value).toBe('8')
    await choose(user, 'Protocol', /^Other/)
    expect(screen.queryByRole('textbox', { name: /^ICMP type/ })).toBeNull()
  })
})
