import { useState } from 'react'
import type { ReactNode } from 'react'

import { useLoaded } from '~/api/query'
import { MetricChart } from '~/resource/metric-chart'
import type { MetricUnit } from '~/resource/metric-values'
import { LazyListbox } from '~/ui/lazy-listbox'

import { instanceQuery } from './-instance-queries'
import type { InstanceParams } from './-instance-queries'
import { ChartGrid, MetricsToolbar, useMetricsRange } from './-metrics-range'

/** What is charted of a kind of parts: disks or network interfaces. */
export interface PartKind {
  /** The label of the selection, and the option that stands for all. */
  choose: string
  all: string
  /** The target of the timeseries: its name, and its fields with the ids of the instance and the part. */
  target: { name: string; instanceField: string; partField: string }
  /** `metric` is the part of the timeseries' name after the colon. */
  charts: readonly { title: string; metric: string; unit: MetricUnit }[]
  /** The beginning of the name of a downloaded file; the metric follows. */
  fileName: (instance: string, part: string | undefined) => string
  /** Shown if there are no parts. */
  empty: ReactNode
}

interface PartMetricsProps {
  kind: PartKind
  /** The instance. */
  of: InstanceParams
  /** The disks or interfaces that can be selected. At first the charts show their sum. */
  parts: readonly { id: string; name: string }[]
}

/** Charts of one of an instance's disks or interfaces, or of their sum. */
export function PartMetrics({ kind, of, parts }: PartMetricsProps) {
  const { target, charts, fileName } = kind
  const instance = useLoaded(instanceQuery(of))
  const { range, zoom, marks } = useMetricsRange()
  const [chosen, setChosen] = useState(ALL)
  if (parts.length === 0) return kind.empty
  // The selected part may have been removed.
  const part = parts.find(({ id }) => id === chosen)
  const options = parts.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <MetricsToolbar>
        <LazyListbox
          aria-label={kind.choose}
          options={[{ value: ALL, label: kind.all }, ...options]}
          value={part?.id ?? ALL}
          onChange={setChosen}
        />
      </MetricsToolbar>
      <ChartGrid>
        {charts.map(({ title, metric, unit }) => (
          <MetricChart
            key={metric}
            project={of.project}
            title={title}
            unit={unit}
            zoom={zoom}
            marks={marks}
            fileName={`${fileName(instance.name, part?.name)}-${metric}`}
            query={{
              metric: `${target.name}:${metric}`,
              range,
              filters: { [target.instanceField]: instance.id, [target.partField]: part?.id },
              groupBy: part ? undefined : [target.instanceField],
            }}
          />
        ))}
      </ChartGrid>
    </>
  )
}

const ALL = 'all'
