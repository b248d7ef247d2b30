import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from 'react-hook-form'
import { expect, it } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'

import type { IpRangeValues } from './-ip-range-fields'
import { RangeSummary } from './-range-summary'

function Form() {
  const { control, register } = useForm<IpRangeValues>({ defaultValues: { first: '', last: '' } })
  return (
    <>
      <input aria-label="First" {...register('first')} />
      <input aria-label="Last" {...register('last')} />
      <RangeSummary pool="edge" control={control} />
    </>
  )
}

it('counts what a range adds, and names the range that has some of it', async () => {
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: (url) =>
      Promise.resolve(
        Response.json(
          String(url).includes('/utilization')
            ? { ipv4: { allocated: 1, capacity: 20 }, ipv6: { allocated: '0', capacity: '0' } }
            : { items: [{ id: 'r', range: { first: '10.0.0.1', last: '10.0.0.20' } }] },
        ),
      ),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <Form />
    </QueryClientProvider>,
  )
  await userEvent.type(screen.getByLabelText('First'), '10.0.1.1')
  await userEvent.type(screen.getByLabelText('Last'), '10.0.1.10')
  await screen.findByText('10')
  await screen.findByText('20, then 30')
  expect(screen.getByRole('status').textContent).toBe('')
  await userEvent.clear(screen.getByLabelText('First'))
  await userEvent.type(screen.getByLabelText('First'), '10.0.0.15')
  await screen.findByText('The pool has 10.0.0.1 to 10.0.0.20 already.')
})
