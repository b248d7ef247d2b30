import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import type { ChartPlotProps } from '~/ui/chart/chart-plot'

import { ProvisioningCharts } from './provisioning-charts'

// There is no canvas here; what is drawn is looked at in a browser.
vi.mock('~/ui/chart/chart-plot', () => ({
  ChartPlot: ({ title, data }: ChartPlotProps) => (
    <p>
      {title}: {data.series[0]?.values.join(' ')}
    </p>
  ),
}))

const GIB = 1024 ** 3
const calls: URL[] = []

/** Four of everything before the range, one more in it. */
function answer(url: string): Response {
  const call = new URL(url, 'http://croft.test')
  calls.push(call)
  const unit = call.pathname.endsWith('cpus_provisioned') ? 1 : GIB
  const start = Date.parse(call.searchParams.get('start_time') ?? '')
  const isBefore = call.searchParams.get('limit') === '1'
  const timestamp = new Date(isBefore ? 1000 : start + 60_000).toISOString()
  const datum = { type: 'i64', datum: (isBefore ? 4 : 5) * unit }
  return Response.json({ items: [{ timestamp, datum }], next_page: null })
}

function show(level: 'silo' | 'system') {
  const charts = () => (
    <ProvisioningCharts
      level={level}
      chooseLabel="Choose one"
      allLabel="All of them"
      options={[{ id: 'one-id', name: 'one' }]}
    />
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: charts }),
    history: createMemoryHistory({ initialEntries: ['/utilization'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

const choose = async (button: string, option: string) => {
  await userEvent.click(screen.getByRole('button', { name: button }))
  await userEvent.click(await screen.findByRole('option', { name: option }))
}

beforeEach(() => {
  calls.length = 0
  queryClient.clear()
  configureTransport({ fetch: async (url) => answer(url) })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('ProvisioningCharts', () => {
  it('draws what held at the start, what changed and what holds now', async () => {
    show('silo')
    expect(await screen.findByText('CPU: 4 5 5')).toBeTruthy()
    expect(await screen.findByText('Memory: 4 5 5')).toBeTruthy()
    expect(await screen.findByText('Storage: 4 5 5')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'CPU (Count)' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Storage (GiB)' })).toBeTruthy()
    const asked = calls.filter(({ pathname }) => pathname === '/v1/metrics/cpus_provisioned')
    expect(asked.map(({ searchParams }) => searchParams.get('limit'))).toEqual(['3000', '1'])
    expect(asked[1]?.searchParams.get('order')).toBe('descending')
    expect(asked[1]?.searchParams.get('start_time')).toBe('1970-01-01T00:00:00.000Z')
    expect(asked[1]?.searchParams.get('end_time')).toBe(asked[0]?.searchParams.get('start_time'))
    expect(asked[0]?.searchParams.has('project')).toBe(false)
  })

  it('looks at one alone by its id', async () => {
    show('system')
    await screen.findByText('CPU: 4 5 5')
    await choose('Choose one', 'one')
    await waitFor(() => {
      const last = calls.at(-1)
      expect(last?.pathname).toMatch(/^\/v1\/system\/metrics\//)
      expect(last?.searchParams.get('silo')).toBe('one-id')
    })
  })

  it('moves a range that ends now on by itself, and keeps the drawing meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    show('silo')
    await screen.findByText('CPU: 4 5 5')
    const before = calls.length
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.queryByRole('status', { name: 'Chart loading' })).toBeNull()
    await waitFor(() => expect(calls.length).toBeGreaterThan(before))
  })

  it('leaves a custom range where it is', async () => {
    show('silo')
    await screen.findByText('CPU: 4 5 5')
    await choose('Choose a time range preset', 'Custom')
    const refresh = screen.getByRole('button', { name: 'Refresh charts' })
    expect(refresh.getAttribute('aria-disabled')).toBe('true')
    const interval = screen.getByRole('button', { name: 'Select a refresh interval' })
    expect((interval as HTMLButtonElement).disabled).toBe(true)
    expect(interval.textContent).toBe('Off')
  })

  it('does not take a failure for no data', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    configureTransport({ fetch: async () => Response.json({ message: 'no' }, { status: 503 }) })
    show('silo')
    expect(await screen.findAllByText('Something went wrong')).toHaveLength(3)
  })
})
