import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import type { AlertDelivery } from '~/api/generated/types.gen'
import { queryClient } from '~/api/query-client'

import { DeliveryDetails } from './delivery-details'

const delivery: AlertDelivery = {
  id: 'd1',
  receiverId: 'r1',
  alertClass: 'disk.faulted',
  alertId: 'a1',
  state: 'failed',
  trigger: 'alert',
  timeStarted: new Date(0),
  attempts: {
    webhook: [{ attempt: 1, timeSent: new Date(0), result: 'failed_unreachable', response: null }],
  },
}

let asked: string[] = []
let answer: Response

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue()
  asked = []
  queryClient.clear()
  configureTransport({
    host: '',
    fetch: async (url) => {
      asked.push(url)
      return answer
    },
  })
})

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <DeliveryDetails delivery={delivery} onDismiss={() => undefined} />
    </QueryClientProvider>,
  )

it('an attempt that reached nobody says why', async () => {
  const [attempt] = delivery.attempts.webhook
  const reason = '10.0.0.1 is not on the public internet'
  const { time_sent, ...rest } = { ...attempt, time_sent: '1970-01-01T00:00:00Z' }
  answer = Response.json({ id: 'd1', attempts: [{ ...rest, time_sent, reason }] })
  show()
  await screen.findByText(reason)
  expect(asked).toEqual(['/experimental/v1/alert-receivers/r1/deliveries/d1/attempts'])
})

it('without the reasons the attempts are shown all the same', async () => {
  answer = Response.json({ message: 'Forbidden' }, { status: 403 })
  show()
  await screen.findByText('Unreachable')
})
