import { useState } from 'react'
import type { ReactNode } from 'react'

import { MetricChart } from '~/resource/metric-chart'
import type { MetricUnit } from '~/resource/metric-values'
import { Listbox } from '~/ui/listbox'

import { ChartGrid, MetricsToolbar, useMetricsRange } from './-metrics-range'

/** A chart of what is counted of each disk, or of each network interface. */
export interface PartChart {
  title: string
  /** The part of the timeseries' name after the colon. */
  metric: string
  unit: MetricUnit
}

interface PartMetricsProps {
  project: string
  /** Id of the instance. */
  instance: string
  /** What can be chosen; everything together is drawn at first. */
  parts: readonly { id: string; name: string }[]
  /** What the choice is called, and what stands for everything together. */
  labels: { choose: string; all: string }
  /** What is measured: its name, and the fields that name the instance and the part. */
  target: { name: string; instanceField: string; partField: string }
  charts: readonly PartChart[]
  /** What a downloaded file is called, before the name of the metric. */
  fileName: (part: string | undefined) => string
  /** What stands there without any parts. */
  empty: ReactNode
}

/** Charts of one of an instance's parts, or of all of them added up. */
export function PartMetrics({
  project,
  instance,
  parts,
  labels,
  target,
  charts,
  fileName,
  empty,
}: PartMetricsProps) {
  const { range } = useMetricsRange()
  const [chosen, setChosen] = useState(ALL)
  if (parts.length === 0) return empty
  // What was chosen may be gone meanwhile.
  const part = parts.find(({ id }) => id === chosen)
  const options = parts.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <MetricsToolbar>
        <Listbox
          aria-label={labels.choose}
          options={[{ value: ALL, label: labels.all }, ...options]}
          value={part?.id ?? ALL}
          onChange={setChosen}
        />
      </MetricsToolbar>
      <ChartGrid>
        {charts.map(({ title, metric, unit }) => (
          <MetricChart
            key={metric}
            project={project}
            title={title}
            unit={unit}
            fileName={`${fileName(part?.name)}-${metric}`}
            query={{
              metric: `${target.name}:${metric}`,
              range,
              filters: { [target.instanceField]: instance, [target.partField]: part?.id },
              groupBy: part ? undefined : [target.instanceField],
            }}
          />
        ))}
      </ChartGrid>
    </>
  )
}

const ALL = 'all'
