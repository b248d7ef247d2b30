import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { RouterRoute } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'
import { ROUTE_FORM_DEFAULTS, routeBody, routeFormValues } from '~/resource/router-route-form'
import { SideModalForm } from '~/ui/form/side-modal-form'

import { RouteFields } from './-route-fields'
import type { RouteFreedom } from './-route-fields'

const times = { time_created: '2026-03-01T10:00:00Z', time_modified: '2026-03-01T10:00:00Z' }
const named = (name: string) => ({ id: `id-of-${name}`, name, description: '', ...times })
const listed: Record<string, string> = {
  '/v1/vpc-subnets': 'front',
  '/v1/instances': 'db',
  '/v1/internet-gateways': 'outside',
}

beforeEach(() => {
  queryClient.clear()
  configureTransport({
    fetch: async (url) => {
      const { pathname } = new URL(url, 'http://cloud')
      if (pathname.endsWith('/reachability-changes')) {
        return Response.json({ changes: [], is_complete: true })
      }
      return Response.json({ items: [named(listed[pathname] ?? '')], next_page: null })
    },
  })
})

interface FormProps {
  stored?: RouterRoute
  freedom?: RouteFreedom
  onSubmit: (body: object) => void
}

function Form({ stored, freedom, onSubmit }: FormProps) {
  const form = useForm({ defaultValues: stored ? routeFormValues(stored) : ROUTE_FORM_DEFAULTS })
  return (
    <SideModalForm
      calls={null}
      needs={null}
      form={form}
      title="Create route"
      onSubmit={(values) => onSubmit(routeBody(values))}
      onDismiss={() => undefined}
      loading={false}
      submitError={null}
    >
      <RouteFields
        router="custom"
        form={form}
        vpc={{ project: 'web', vpc: 'main' }}
        stored={stored}
        freedom={freedom}
      />
    </SideModalForm>
  )
}

function show(props: Partial<FormProps> = {}) {
  const onSubmit = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <Form onSubmit={onSubmit} {...props} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), onSubmit }
}

type User = ReturnType<typeof userEvent.setup>

async function choose(user: User, field: string, option: string) {
  await user.click(screen.getByRole('button', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}

async function chooseValue(user: User, field: string, option: string) {
  await user.click(screen.getByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name: option }))
}

const text = (name: RegExp) => screen.getByRole('textbox', { name })
const submit = (user: User) => user.click(screen.getByRole('button', { name: 'Create route' }))

describe('RouteFields', () => {
  it('offers the types that a person may use', async () => {
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Destination type' }))
    const destinations = await screen.findAllByRole('option')
    expect(destinations.map((option) => option.textContent)).toEqual(['IP', 'IP network', 'Subnet'])
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Target type' }))
    await waitFor(() =>
      expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
        'IP',
        'Instance',
        'Internet gateway',
        'Drop',
      ]),
    )
  })

  it('calls an address that is missing not valid', async () => {
    const { user, onSubmit } = show()
    await user.type(text(/^Name/), 'dc')
    await submit(user)
    expect(await screen.findAllByText('Not a valid IP address')).toHaveLength(2)
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('forgets value and message when the type changes', async () => {
    const { user } = show()
    await user.type(text(/^Destination value/), '10.0.0.0')
    await submit(user)
    await choose(user, 'Destination type', 'IP network')
    expect(text(/^Destination value/).getAttribute('value')).toBe('')
    expect(screen.queryByText(/Must contain an IP address/)).toBeNull()
    await submit(user)
    expect(
      await screen.findByText('Must contain an IP address and a width, separated by a /'),
    ).toBeDefined()
  })

  it('sends names of a subnet and an instance, chosen from those that there are', async () => {
    const { user, onSubmit } = show()
    await user.type(text(/^Name/), 'dc')
    await choose(user, 'Destination type', 'Subnet')
    await choose(user, 'Target type', 'Instance')
    await chooseValue(user, 'Destination value', 'front')
    await chooseValue(user, 'Target value', 'db')
    await submit(user)
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
    expect(onSubmit).toHaveBeenCalledWith({
      name: 'dc',
      description: '',
      destination: { type: 'subnet', value: 'front' },
      target: { type: 'instance', value: 'db' },
    })
  })

  it('says which name is missing', async () => {
    const { user } = show()
    await choose(user, 'Target type', 'Internet gateway')
    await submit(user)
    expect(await screen.findByText('Target value is required')).toBeDefined()
  })

  it('asks for no value when packets are dropped', async () => {
    const { user, onSubmit } = show()
    await user.type(text(/^Name/), 'none')
    await user.type(text(/^Destination value/), '10.0.0.1')
    await choose(user, 'Target type', 'Drop')
    expect(screen.queryByRole('textbox', { name: /^Target value/ })).toBeNull()
    await submit(user)
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce())
    expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({ target: { type: 'drop' } })
  })

  it('shows what is stored, even what could not be chosen', async () => {
    const stored = {
      name: 'front',
      description: '',
      kind: 'vpc_subnet',
      destination: { type: 'subnet', value: 'gone' },
      target: { type: 'subnet', value: 'gone' },
    } as RouterRoute
    show({ stored, freedom: 'nothing' })
    await waitFor(() => {
      const values = screen.getAllByRole<HTMLInputElement>('combobox', { name: /value$/ })
      expect(values.map(({ value }) => value)).toEqual(['gone', 'gone'])
    })
    expect(screen.getByRole('button', { name: 'Target type' }).textContent).toBe('VPC subnet')
    expect(text(/^Name/).hasAttribute('disabled')).toBe(true)
  })

  it('lets the target of a default route change, and nothing else', () => {
    const stored = {
      name: 'default-v4',
      description: '',
      kind: 'default',
      destination: { type: 'ip_net', value: '0.0.0.0/0' },
      target: { type: 'drop' },
    } as RouterRoute
    show({ stored, freedom: 'target' })
    expect(text(/^Name/).hasAttribute('disabled')).toBe(true)
    expect(text(/^Destination value/).hasAttribute('disabled')).toBe(true)
    expect(screen.getByRole('button', { name: 'Target type' }).hasAttribute('disabled')).toBe(false)
  })
})
