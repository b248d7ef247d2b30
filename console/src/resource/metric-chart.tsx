import { useQuery } from '@tanstack/react-query'
import { Code, Info } from 'lucide-react'
import { useMemo, useState } from 'react'

import { timeseriesQuery } from '~/api/generated/operations'
import { qWithBody } from '~/api/query'
import * as text from '~/messages/metric'
import { metricQueryText } from '~/resource/metric-query'
import type { MetricQuery } from '~/resource/metric-query'
import { metricValues, NO_SAMPLES, sumSeries } from '~/resource/metric-values'
import type { MetricUnit } from '~/resource/metric-values'
import { ChartCard } from '~/ui/chart/chart-card'
import type { ChartMark, ChartZoom } from '~/ui/chart/chart-data'
import { onDemand } from '~/ui/on-demand'

const QueryDialog = onDemand(async () => (await import('~/resource/metric-dialogs')).QueryDialog)
const AboutDialog = onDemand(async () => (await import('~/resource/metric-dialogs')).AboutDialog)

interface MetricChartProps {
  /** Name or id of the project whose metrics are read. */
  project: string
  title: string
  /** Explains the values in a sentence. */
  description?: string
  unit: MetricUnit
  query: MetricQuery
  zoom: ChartZoom
  /** Events, by time. */
  marks: readonly ChartMark[]
  /** Name of the downloaded file, without the extension. */
  fileName: string
}

const nothing = { times: [], values: [], count: 0 }

/** A chart of one metric of a project, with access to its query. */
export function MetricChart(props: MetricChartProps) {
  const { project, title, description, unit, query, zoom, marks, fileName } = props
  const [dialog, setDialog] = useState<string>()
  const close = () => setDialog(undefined)
  const queryText = metricQueryText(query)
  const { data, error } = useQuery(
    qWithBody(
      timeseriesQuery,
      { query: { project }, body: { query: queryText } },
      { allowNotFound: true },
    ),
  )
  const isEmpty = error !== null && NO_SAMPLES.test(error.message)
  const shown = useMemo(() => {
    if (isEmpty) return metricValues(title, unit, nothing)
    return data && metricValues(title, unit, sumSeries(data))
  }, [isEmpty, data, title, unit])
  const format = shown ?? metricValues(title, unit, nothing)
  return (
    <>
      <ChartCard
        title={title}
        unit={format.unit}
        description={description}
        data={shown?.data}
        failure={error && !isEmpty ? true : undefined}
        range={query.range}
        zoom={zoom}
        marks={marks}
        formatValue={format.formatValue}
        formatTick={format.formatTick}
        syncKey="instance-metrics"
        fileName={fileName}
        menu={[
          { separator: true },
          {
            id: 'about',
            label: text.aboutLabel,
            icon: Info,
            needs: null,
            onAction: () => setDialog('about'),
          },
          {
            id: 'query',
            label: text.viewQueryLabel,
            icon: Code,
            needs: null,
            onAction: () => setDialog('query'),
          },
        ]}
      />
      {dialog === 'query' && (
        <QueryDialog project={project} query={query} onDismiss={close} onMissing={close} />
      )}
      {dialog === 'about' && (
        <AboutDialog metric={query.metric} onDismiss={close} onMissing={close} />
      )}
    </>
  )
}
