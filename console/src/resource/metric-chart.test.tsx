import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { configureTransport } from '~/api/client'
import { queryClient } from '~/api/query-client'
import type { ChartPlotProps } from '~/ui/chart/chart-plot'

import { MetricChart } from './metric-chart'

// There is no canvas here; what is drawn is looked at in a browser.
vi.mock('~/ui/chart/chart-plot', () => ({
  ChartPlot: ({ data }: ChartPlotProps) => <p>drawn: {JSON.stringify(data.series)}</p>,
}))

const end = new Date('2026-11-21T12:00:00Z')
const range = { start: new Date('2026-11-21T11:00:00Z'), end }

function show(answer: () => Response) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => answer())
  configureTransport({ fetch })
  render(
    <QueryClientProvider client={queryClient}>
      <MetricChart
        project="shop"
        title="CPU Utilization: Running"
        description="Time spent running guest code"
        unit="percent"
        fileName="cpu"
        zoom={{ zoomIn: () => undefined }}
        marks={[]}
        query={{
          metric: 'virtual_machine:vcpu_usage',
          range,
          filters: { instance_id: 'abc', state: 'run' },
          groupBy: ['vcpu_id'],
        }}
      />
    </QueryClientProvider>,
  )
  return fetch
}

const refusal = (status: number, message: string) =>
  Response.json({ request_id: 'r', error_code: 'InvalidRequest', message }, { status })

const series = (values: (number | null)[]) => ({
  fields: { vcpu_id: { type: 'u32', value: 0 } },
  points: {
    start_times: null,
    timestamps: values.map((_, minute) => `2026-11-21T11:0${minute}:00Z`),
    values: [{ metric_type: 'gauge', values: { type: 'double', values } }],
  },
})

beforeEach(() => {
  queryClient.clear()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

describe('MetricChart', () => {
  it('asks for one metric of the project and draws it in percent of all vCPUs', async () => {
    const fetch = show(() =>
      Response.json({
        tables: [
          {
            name: 'virtual_machine:vcpu_usage',
            timeseries: { '1': series([9e9, 5e9, null]), '2': series([9e9, 0, null]) },
          },
        ],
      }),
    )
    expect(screen.getByRole('status', { name: 'Chart loading' })).toBeTruthy()
    expect(
      await screen.findByText('drawn: [{"label":"CPU Utilization: Running","values":[50,null]}]'),
    ).toBeTruthy()
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('/v1/timeseries/query?project=shop')
    expect(JSON.parse(String(init?.body)).query).toMatch(
      /^get virtual_machine:vcpu_usage \| filter/,
    )
    expect(screen.getByRole('heading', { name: 'CPU Utilization: Running (%)' })).toBeTruthy()
  })

  it('takes series without samples in the range for no data, not for a failure', async () => {
    show(() => refusal(400, 'Input tables to a `group_by` must be aligned'))
    expect(await screen.findByText('No data')).toBeTruthy()
    expect(screen.queryByText('Something went wrong')).toBeNull()
    expect(console.error).toHaveBeenCalled()
  })

  it('takes every other refusal for a failure', async () => {
    show(() => refusal(400, 'Input tables to a `group_by` must be aligned, but are not'))
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
  })

  it('shows no data when there is only the point that is left out', async () => {
    show(() => Response.json({ tables: [{ name: 'a:b', timeseries: { '1': series([5e9]) } }] }))
    expect(await screen.findByText('No data')).toBeTruthy()
  })

  it('shows its query and copies it as one line', async () => {
    const user = userEvent.setup()
    show(() => Response.json({ tables: [] }))
    await user.click(screen.getByRole('button', { name: 'CPU Utilization: Running actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'View OxQL query' }))
    const dialog = await screen.findByRole('dialog', { name: 'OxQL query' })
    expect(within(dialog).getByRole('region', { name: 'Query' }).textContent).toBe(
      [
        'get virtual_machine:vcpu_usage',
        '  | filter timestamp >= @2026-11-21T10:58:00.000',
        '      && timestamp < @2026-11-21T12:00:00.000',
        '      && instance_id == "abc"',
        '      && state == "run"',
        '  | align mean_within(60s)',
        '  | group_by [vcpu_id], sum',
      ].join('\n'),
    )
    await user.click(within(dialog).getByRole('button', { name: 'Copy query' }))
    // What the button says then lasts two seconds, which a busy machine may let pass before it looks.
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toMatch(
        /^get [^\n]+ \| group_by \[vcpu_id\], sum$/,
      ),
    )
  })

  it('says what its metric is', async () => {
    show(() => Response.json({ tables: [] }))
    await userEvent.click(screen.getByRole('button', { name: 'CPU Utilization: Running actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'About this metric' }))
    const dialog = await screen.findByRole('dialog', { name: 'About this metric' })
    expect(dialog.textContent).toContain('virtual_machine:vcpu_usage')
    expect(dialog.textContent).toContain('nanoseconds')
  })
})
