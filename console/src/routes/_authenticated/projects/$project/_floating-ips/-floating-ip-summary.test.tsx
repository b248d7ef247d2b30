import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { loadSession } from '~/app/session'
import { FLOATING_IP_DEFAULTS } from '~/resource/floating-ip-form'
import type { FloatingIpFormValues } from '~/resource/floating-ip-form'

import { FloatingIpSummary } from './-floating-ip-summary'

let asked: string[]
let allocated: number
let isOperator: boolean
let isDefault: boolean

beforeEach(() => {
  queryClient.clear()
  asked = []
  allocated = 10
  isOperator = true
  isDefault = true
  configureTransport({
    host: '',
    fetch: (url) => {
      const { pathname } = new URL(String(url), 'http://croft.test')
      asked.push(pathname)
      if (pathname.endsWith('/utilization')) {
        return Promise.resolve(
          Response.json({
            ipv4: { allocated, capacity: 12 },
            ipv6: { allocated: '0', capacity: '0' },
          }),
        )
      }
      return Promise.resolve(
        Response.json({
          id: 'ada',
          silo_name: 'home',
          allowed: isOperator ? ['system_policy_view'] : [],
          refused: [],
          items: [{ id: 'p', name: 'outside', is_default: isDefault }],
        }),
      )
    },
  })
})

function Form() {
  const { control, register } = useForm<FloatingIpFormValues>({
    defaultValues: FLOATING_IP_DEFAULTS,
  })
  return (
    <>
      <input aria-label="Address" {...register('ip')} />
      <FloatingIpSummary control={control} />
    </>
  )
}

async function show() {
  await loadSession(queryClient)
  asked = []
  render(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  )
}

it('says which pool the address comes from, and how many it has left', async () => {
  await show()
  await screen.findByText('outside, the default of the silo')
  await screen.findByText('2 of 12')
  screen.getByText('The lowest available')
  await userEvent.type(screen.getByLabelText('Address'), '10.0.0.9')
  await screen.findByText('10.0.0.9')
})

it('says that the pool is used up', async () => {
  allocated = 12
  await show()
  await screen.findByText('The IP pool outside has no address left.')
})

it('says that a pool has to be selected', async () => {
  isDefault = false
  await show()
  await screen.findByText('The silo has no default IP pool, and none is selected.')
})

it('asks for no numbers that only operators may read', async () => {
  isOperator = false
  await show()
  await screen.findByText('outside, the default of the silo')
  expect(asked).toEqual(['/v1/ip-pools'])
})
