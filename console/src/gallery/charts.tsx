import { Specimen } from '~/gallery/specimen'
import { formatCount } from '~/ui/chart/chart-axis'
import { ChartCard } from '~/ui/chart/chart-card'

const HOUR = 60 * 60 * 1000
const end = new Date(Date.UTC(2026, 1, 28, 12))
const range = { start: new Date(end.getTime() - HOUR), end }
const times = Array.from({ length: 60 }, (_, minute) => range.start.getTime() + minute * 60_000)

/** Made up, but not at random, so that pictures of this page can be compared. */
const wave = (shift: number, height: number) =>
  times.map((_, minute) =>
    minute > 30 + shift && minute < 35 + shift
      ? null
      : height *
        (2 + Math.sin((minute + shift * 9) / 7) + Math.sin((minute * (shift + 2)) / 3) / 3),
  )

const load = { times, series: [{ label: 'run', values: wave(0, 20) }] }
const states = ['run', 'emulation', 'idle', 'waiting', 'paused', 'blocked', 'lost']
const many = {
  times,
  series: states.map((label, index) => ({ label, values: wave(index, 300 * (index + 1)) })),
}
const steps = {
  times: [0, 12, 13, 40, 60].map((minute) => range.start.getTime() + minute * 60_000),
  series: [{ label: 'vCPUs', values: [2, 6, 14, 4, 4] }],
}
const percent = (value: number) => `${value.toFixed(2)} %`
const percentTick = (value: number) => `${value}%`

/** Measurements over time in every state. */
export function Charts() {
  return (
    <Specimen title="Chart">
      <div className="grid gap-4 xl:grid-cols-2">
        <ChartCard
          title="CPU utilization"
          unit="%"
          description="Time spent running guest code."
          fileName="cpu"
          data={load}
          range={range}
          formatValue={percent}
          formatTick={percentTick}
          syncKey="gallery"
        />
        <ChartCard
          title="Several series"
          fileName="several"
          data={many}
          range={range}
          axis="free"
          formatValue={formatCount}
          formatTick={formatCount}
          syncKey="gallery"
        />
        <ChartCard
          title="Steps"
          unit="Count"
          fileName="steps"
          data={steps}
          range={range}
          shape="steps"
          formatValue={String}
          formatTick={String}
        />
        <ChartCard
          title="Chart before its values are there"
          fileName="loading"
          data={undefined}
          range={range}
          formatValue={String}
          formatTick={String}
        />
        <ChartCard
          title="Nothing measured"
          fileName="empty"
          data={{ times: [], series: [] }}
          range={range}
          formatValue={String}
          formatTick={String}
        />
        <ChartCard
          title="Failed"
          fileName="failed"
          data={undefined}
          failure
          range={range}
          formatValue={String}
          formatTick={String}
        />
      </div>
    </Specimen>
  )
}
