import { useState } from 'react'
import type { ReactNode } from 'react'

import { MetricChart } from '~/resource/metric-chart'
import type { MetricUnit } from '~/resource/metric-values'
import { Listbox } from '~/ui/listbox'

import { ChartGrid, MetricsToolbar, useMetricsRange } from './-metrics-range'

/** A chart of one metric of disks or network interfaces. */
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
  /** The disks or interfaces that can be selected. At first the charts show their sum. */
  parts: readonly { id: string; name: string }[]
  /** The label of the selection, and the option that stands for all. */
  labels: { choose: string; all: string }
  /** The target of the timeseries: its name, and its fields with the ids of the instance and the part. */
  target: { name: string; instanceField: string; partField: string }
  charts: readonly PartChart[]
  /** The beginning of the name of a downloaded file; the metric follows. */
  fileName: (part: string | undefined) => string
  /** Shown if there are no parts. */
  empty: ReactNode
}

/** Charts of one of an instance's disks or interfaces, or of their sum. */
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
  // The selected part may have been removed.
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
