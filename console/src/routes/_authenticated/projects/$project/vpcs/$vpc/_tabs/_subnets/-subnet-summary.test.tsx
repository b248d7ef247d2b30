import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { beforeEach, expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import { SUBNET_FORM_DEFAULTS } from '~/resource/vpc-subnet-form'
import type { SubnetFormValues } from '~/resource/vpc-subnet-form'

import { SubnetSummary } from './-subnet-summary'

const front = { id: 's', name: 'front', ipv4_block: '10.0.0.0/22', ipv6_block: 'fd00:1:2::/64' }

beforeEach(() => {
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: (url) =>
      Promise.resolve(
        Response.json(
          String(url).startsWith('/v1/vpcs/')
            ? { id: 'v', name: 'net', ipv6_prefix: 'fd00:1:2::/48' }
            : { items: [front] },
        ),
      ),
  })
})

function Form() {
  const { control, register } = useForm<SubnetFormValues>({ defaultValues: SUBNET_FORM_DEFAULTS })
  return (
    <>
      <input aria-label="IPv4" {...register('ipv4Block')} />
      <input aria-label="IPv6" {...register('ipv6Block')} />
      <SubnetSummary vpc={{ project: 'web', vpc: 'net' }} control={control} />
    </>
  )
}

const enter = async (field: string, text: string) => {
  await userEvent.clear(screen.getByLabelText(field))
  await userEvent.type(screen.getByLabelText(field), text)
}

it('counts the addresses, and names the subnet that has some of them', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  )
  await screen.findByText('The lowest free /64 of fd00:1:2::/48')
  await enter('IPv4', '10.0.4.0/24')
  await screen.findByText('250')
  expect(screen.getByRole('status').textContent).toBe('')
  await enter('IPv4', '10.0.1.0/24')
  await screen.findByText('10.0.1.0/24 overlaps with 10.0.0.0/22 of subnet front.')
  await enter('IPv4', '8.8.8.0/24')
  await screen.findByText(/^The IPv4 block has to be private/)
  await enter('IPv6', 'fd00:9::/64')
  await screen.findByText('The IPv6 block has to be a /64 of fd00:1:2::/48.')
  await enter('IPv6', 'fd00:1:2::/64')
  await screen.findByText('fd00:1:2::/64 overlaps with fd00:1:2::/64 of subnet front.')
})
