import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { INSTANCE_FORM_DEFAULTS } from '~/resource/instance-form'
import type { InstanceFormValues } from '~/resource/instance-form'

import { InstanceSummary } from './-instance-summary'

const amount = (needed: number, used: number, limit: number) => ({ needed, used, limit })

const ready = {
  refusal: null,
  start_refusal: null,
  quota: { cpus: amount(2, 4, 10), memory: amount(1, 0, 2), storage: amount(0, 0, 1) },
  interfaces: [
    {
      name: 'net0',
      vpc_id: 'v',
      vpc_name: 'prod',
      subnet_name: 'front',
      ip: '172.30.0.5',
      inbound_rules: [
        {
          name: 'allow-ssh',
          action: 'allow',
          hosts: null,
          protocols: [{ type: 'tcp' }],
          ports: ['22'],
        },
      ],
    },
  ],
  external_ips: ['203.0.113.7'],
}

let asked: { name: string; boot_disk?: object; hostname: string }[]
let answer: object

beforeEach(() => {
  queryClient.clear()
  asked = []
  answer = ready
  configureTransport({
    fetch: (_, init) => {
      asked.push(JSON.parse(String(init?.body)) as (typeof asked)[number])
      return Promise.resolve(Response.json(answer))
    },
  })
})

function Form() {
  const { control, register } = useForm<InstanceFormValues>({
    defaultValues: INSTANCE_FORM_DEFAULTS,
  })
  return (
    <>
      <input aria-label="Name" {...register('name')} />
      <input aria-label="Host name" {...register('hostname')} />
      <input aria-label="Boot disk" {...register('bootDisk')} />
      <InstanceSummary project="web" control={control} images={[]} />
    </>
  )
}

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  )

it('says what would come of the form, and asks again when it has changed', async () => {
  show()
  await screen.findByText('No boot disk is selected yet. Everything else can be created now.')
  expect(asked.map((body) => body.boot_disk)).toEqual([undefined])
  await userEvent.type(screen.getByLabelText('Boot disk'), 'system')
  await userEvent.type(screen.getByLabelText('Name'), 'db')
  await screen.findByText('The instance can be created and started now.')
  expect(asked.at(-1)).toMatchObject({ name: 'db', boot_disk: { type: 'attach', name: 'system' } })
  screen.getByText('2 of 6 free')
  screen.getByText('VPC prod, subnet front')
  screen.getByText('203.0.113.7')
  screen.getByText('TCP traffic on port 22 from anywhere')
})

it('says why the instance would be refused, with what causes it', async () => {
  const constraint = { kind: 'quota', id: 'silo', name: 'maze' }
  const refusal = { message: 'Not enough vCPUs.', advice: 'Stop others.', constraint }
  answer = { ...ready, start_refusal: refusal }
  show()
  await screen.findByText('The instance can be created, but not started')
  screen.getByText('Not enough vCPUs.')
  screen.getByText('Stop others.')
  expect(screen.getByRole('link').getAttribute('href')).toBe('/utilization')
})

it('does not ask about what the server could not read', async () => {
  show()
  await waitFor(() => expect(asked).toHaveLength(1))
  await userEvent.type(screen.getByLabelText('Host name'), 'no_host')
  await screen.findByText('Some fields are not valid yet.')
  expect(asked).toHaveLength(1)
})
