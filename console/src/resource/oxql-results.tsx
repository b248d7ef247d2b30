import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'

import type { OxqlQueryResult } from '~/api/generated/types.gen'
import { formatInteger } from '~/lib/numbers'
import { saveText } from '~/lib/save-file'
import * as text from '~/messages/oxql'
import { unitFormat } from '~/resource/metric-format'
import type { MetricSchema } from '~/resource/metric-schemas'
import { MAX_SERIES, resultCsv, resultTables } from '~/resource/oxql-result'
import type { ResultTable } from '~/resource/oxql-result'
import { Button } from '~/ui/button'
import { ChartCard } from '~/ui/chart/chart-card'
import type { ChartRange, ChartZoom } from '~/ui/chart/chart-data'
import { ZoomOutButton } from '~/ui/chart/zoom-out-button'

interface OxqlResultsProps {
  result: OxqlQueryResult
  schemas: readonly MetricSchema[]
}

/** The result of a query: a chart for each table, and a download. */
export function OxqlResults({ result, schemas }: OxqlResultsProps) {
  const tables = useMemo(() => resultTables(result), [result])
  const series = tables.reduce((sum, { seriesCount }) => sum + seriesCount, 0)
  const points = tables.reduce((sum, { pointCount }) => sum + pointCount, 0)
  return (
    <section aria-label={text.resultLabel} className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-fg-muted tabular">
          {text.countsText(tables.length, series, points)}
        </p>
        <Button
          needs={null}
          variant="secondary"
          size="sm"
          disabledReason={points === 0 && text.nothingToDownloadError}
          onPress={() => saveText('query-result.csv', 'text/csv', resultCsv(result))}
        >
          <Download aria-hidden="true" />
          {text.downloadLabel}
        </Button>
      </div>
      {tables.map((table, index) => (
        // A query may read the same timeseries twice.
        <ResultChart key={`${index}-${table.name}`} table={table} schemas={schemas} />
      ))}
    </section>
  )
}

function ResultChart({ table, schemas }: { table: ResultTable; schemas: readonly MetricSchema[] }) {
  const all = useMemo(() => rangeOf(table.data.times), [table])
  const [selected, setSelected] = useState<{ of: ResultTable; range: ChartRange }>()
  // Another result begins with all of it.
  const isZoomed = selected?.of === table
  const zoom: ChartZoom = {
    zoomIn: (wanted) => setSelected({ of: table, range: wanted }),
    zoomOut: isZoomed ? () => setSelected(undefined) : undefined,
  }
  const [first = ''] = table.name.split(',')
  const { units } = schemas.find(({ timeseriesName }) => timeseriesName === first) ?? {}
  const { unit, formatValue, formatTick } = unitFormat(units)
  return (
    <>
      {isZoomed && (
        <div className="flex justify-end">
          <ZoomOutButton zoom={zoom} />
        </div>
      )}
      <ChartCard
        title={table.name}
        unit={unit}
        description={chartNote(table)}
        data={table.data}
        range={isZoomed ? selected.range : all}
        zoom={zoom}
        axis="free"
        formatValue={formatValue}
        formatTick={formatTick}
        syncKey="oxql"
        fileName={table.name.replaceAll(/[:,]/g, '-')}
      />
    </>
  )
}

/** Notes on what a chart leaves out or changes. */
function chartNote({ hasDistributions, hasText, seriesCount }: ResultTable): string | undefined {
  const remarks = [
    hasDistributions && text.distributionsHelp,
    hasText && text.textValuesHelp,
    seriesCount > MAX_SERIES && text.seriesCutHelp(MAX_SERIES, formatInteger(seriesCount)),
  ].filter((remark) => remark !== false)
  return remarks.length > 0 ? remarks.join(' ') : undefined
}

const MINUTE = 60_000

/** The range from the first to the last time, extended by a minute on each side if there is only one. */
function rangeOf(times: readonly number[]): ChartRange {
  const start = times[0] ?? 0
  const end = times.at(-1) ?? 0
  const margin = start === end ? MINUTE : 0
  return { start: new Date(start - margin), end: new Date(end + margin) }
}
