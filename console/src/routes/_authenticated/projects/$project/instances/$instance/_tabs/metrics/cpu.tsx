import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'

import { load, useLoaded } from '~/api/query'
import * as text from '~/messages/instance-metrics-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { MetricChart } from '~/resource/metric-chart'
import { LazyListbox } from '~/ui/lazy-listbox'

import { instanceQuery } from '../../-instance-queries'
import { ChartGrid, MetricsToolbar, useMetricsRange } from '../../-metrics-range'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/metrics/cpu',
)({
  loader: ({ context, params }) => load(context.queryClient, instanceQuery(params)),
  staticData: { crumb: { label: crumbs.cpuLabel } },
  component: CpuMetrics,
})

/** The states of a vCPU, in the order of the four charts. */
const states = [
  { value: 'run', name: text.runningLabel, description: text.runningHelp },
  {
    value: 'emulation',
    name: text.emulationLabel,
    description: text.emulationHelp,
  },
  { value: 'idle', name: text.idleLabel, description: text.idleHelp },
  {
    value: 'waiting',
    name: text.waitingLabel,
    description: text.waitingHelp,
  },
]

const ALL = 'all'
const options = [
  ...states.map(({ value, name }) => ({ value, label: text.stateLabel(name) })),
  { value: ALL, label: text.allStatesLabel },
]

function CpuMetrics() {
  const params = Route.useParams()
  const instance = useLoaded(instanceQuery(params))
  const { range, zoom, marks } = useMetricsRange()
  const [state, setState] = useState('run')
  const charts = states
    .filter(({ value }) => state === ALL || state === value)
    .map(({ value, name, description }) => (
      <MetricChart
        key={value}
        project={params.project}
        title={text.cpuTitle(name)}
        description={description}
        unit="percent"
        zoom={zoom}
        marks={marks}
        fileName={`${instance.name}-cpu-${value}`}
        query={{
          metric: 'virtual_machine:vcpu_usage',
          range,
          filters: { instance_id: instance.id, state: value },
          groupBy: ['vcpu_id'],
        }}
      />
    ))
  return (
    <>
      <MetricsToolbar>
        <LazyListbox
          aria-label={text.chooseStateLabel}
          options={options}
          value={state}
          onChange={setState}
        />
      </MetricsToolbar>
      {state === ALL ? <ChartGrid>{charts}</ChartGrid> : charts}
    </>
  )
}
