import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { saveText } from '~/lib/save-file'

import { ChartCard, chartCsv } from './chart-card'
import type { ChartCardProps } from './chart-card'
import type { ChartPlotProps } from './chart-plot'

// There is no canvas here; what is drawn is looked at in a browser.
vi.mock('~/ui/chart/chart-plot', () => ({
  ChartPlot: ({ marks: [mark] }: ChartPlotProps) => <p>picture{mark && ` of ${mark.label}`}</p>,
}))
vi.mock('~/lib/save-file', () => ({ saveText: vi.fn<typeof saveText>() }))

const start = new Date('2026-11-21T10:00:00Z')
const end = new Date('2026-11-21T11:00:00Z')
const data = {
  times: [start.getTime(), end.getTime()],
  series: [
    { label: 'run', values: [1, null] },
    { label: 'idle', values: [2, 3] },
  ],
}

const show = (props: Partial<ChartCardProps>) =>
  render(
    <ChartCard
      title="CPU"
      unit="%"
      fileName="cpu"
      data={data}
      range={{ start, end }}
      formatValue={(value) => `${value} %`}
      formatTick={String}
      {...props}
    />,
  )

const choose = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name: 'CPU actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

beforeEach(() => vi.mocked(saveText).mockReset())

describe('ChartCard', () => {
  it('says in its title what is measured and in which unit', async () => {
    show({})
    expect(screen.getByRole('heading', { name: 'CPU (%)' })).toBeTruthy()
    expect(await screen.findByText('picture')).toBeTruthy()
  })

  it('names the series, and leaves out what is not wanted', async () => {
    show({})
    const run = screen.getByRole('button', { name: 'run' })
    expect(run.getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(run)
    expect(run.getAttribute('aria-pressed')).toBe('false')
  })

  it('shows events as marks that can be hidden, and in the table where they happened', async () => {
    const event = (id: string, minutes: number, label: string) => {
      return { id, time: start.getTime() + minutes * 60_000, label, isFailure: false }
    }
    show({ marks: [event('a', 30, 'Restarted'), event('b', 90, 'Stopped')] })
    const events = screen.getByRole('button', { name: 'Events' })
    expect(events.getAttribute('aria-pressed')).toBe('true')
    expect(await screen.findByText('picture of Restarted')).toBeTruthy()
    await userEvent.click(events)
    expect(await screen.findByText('picture')).toBeTruthy()
    await choose('View as table')
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows.map((row) => row?.includes('Restarted'))).toEqual([false, false, true, false])
    expect(rows.join(' ')).not.toContain('Stopped')
  })

  it('shows the same values as a table, latest first, gaps as such', async () => {
    show({})
    await choose('View as table')
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows[0]).toBe('Timerunidle')
    expect(rows[1]).toMatch(/no value3 %$/)
    expect(rows[2]).toMatch(/1 %2 %$/)
    await choose('View as chart')
    expect(await screen.findByText('picture')).toBeTruthy()
  })

  it('saves the values', async () => {
    show({})
    await choose('Download CSV')
    expect(saveText).toHaveBeenCalledWith('cpu.csv', 'text/csv', chartCsv(data, '%'))
    expect(chartCsv(data, '%')).toBe(
      'time,run (%),idle (%)\r\n2026-11-21T10:00:00.000Z,1,2\r\n2026-11-21T11:00:00.000Z,,3\r\n',
    )
  })

  it('is a grid until the values are there', () => {
    show({ data: undefined })
    expect(screen.getByRole('status', { name: 'Chart loading' })).toBeTruthy()
  })

  it('tells nothing measured from a failure', async () => {
    const { rerender } = show({ data: { times: [], series: [] } })
    expect(screen.getByText('No data')).toBeTruthy()
    expect(screen.getByText('There is no data for this time period.')).toBeTruthy()
    rerender(
      <ChartCard
        title="CPU"
        fileName="cpu"
        data={undefined}
        failure
        range={{ start, end }}
        formatValue={String}
        formatTick={String}
      />,
    )
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong')
  })
})
