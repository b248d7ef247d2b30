import { ChartLine, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'

import * as charts from '~/messages/charts'
import * as text from '~/messages/errors'
import { hasValues } from '~/ui/chart/chart-data'
import type { ChartData, ChartMark, ChartRange, ChartShape, ChartZoom } from '~/ui/chart/chart-data'
import { ChartLegend } from '~/ui/chart/chart-legend'
import { ChartPlot } from '~/ui/chart/chart-plot'
import { ChartTable } from '~/ui/chart/chart-table'
import { EmptyMessage } from '~/ui/empty-message'

/** Properties of {@link Chart}. */
export interface ChartProps {
  /** What is measured, in words. */
  title: string
  /** Undefined until it is there. */
  data: ChartData | undefined
  /** Loading failed; the reason, if it is known. */
  failure?: string | true
  /** The stretch of time under the picture. */
  range: ChartRange
  shape?: ChartShape
  axis?: 'amounts' | 'free'
  /** A value with its unit, for people. Like `formatTick` the same function from one drawing to the next. */
  formatValue: (value: number) => string
  /** A value as a tick of the axis. */
  formatTick: (value: number) => string
  /** Charts with the same one share a crosshair. */
  syncKey?: string
  /** Lets people select a part of the picture, which is then shown. */
  zoom?: ChartZoom
  /** Events, by time. The same list from one drawing to the next. */
  marks?: readonly ChartMark[]
  /** Show the numbers instead of the picture. */
  isTable?: boolean
}

const NONE_HIDDEN: ReadonlySet<string> = new Set()
const NO_MARKS: readonly ChartMark[] = []
const frame = 'flex h-[300px] items-center justify-center'

/** Measurements over time as a plot or as a table, with its states for loading, failure and no data. */
export function Chart({ data, failure, isTable = false, ...props }: ChartProps) {
  const { title, range, shape = 'line', axis = 'amounts', formatValue, formatTick, syncKey } = props
  const { zoom, marks: allMarks = NO_MARKS } = props
  const [hidden, setHidden] = useState(NONE_HIDDEN)
  const [showsMarks, setShowsMarks] = useState(true)
  // The picture may go while the values of another range are loaded.
  const [keepsFocus, setKeepsFocus] = useState(false)
  const inRange = useMemo(
    () =>
      allMarks.filter(({ time }) => time >= range.start.getTime() && time <= range.end.getTime()),
    [allMarks, range],
  )
  const marks = showsMarks ? inRange : NO_MARKS
  if (failure) {
    return (
      <div role="alert" className={frame}>
        <EmptyMessage
          icon={<TriangleAlert />}
          title={text.failedTitle}
          body={failure === true ? text.failedHelp : failure}
        />
      </div>
    )
  }
  if (!data) return <ChartLoading />
  if (!hasValues(data)) {
    return (
      <div className={frame}>
        <EmptyMessage icon={<ChartLine />} title={charts.emptyTitle} body={charts.emptyHelp} />
      </div>
    )
  }
  if (isTable) return <ChartTable {...{ title, data, formatValue, marks: inRange }} />
  return (
    <>
      <div className="min-h-[300px]">
        <ChartPlot
          {...{ title, data, range, shape, axis, formatValue, formatTick, hidden, syncKey }}
          {...{ zoom, marks, keepsFocus }}
          onKeepFocus={setKeepsFocus}
        />
      </div>
      {(data.series.length > 1 || inRange.length > 0) && (
        <ChartLegend
          series={data.series.length > 1 ? data.series : []}
          hidden={hidden}
          onChange={setHidden}
          marks={inRange.length > 0 && { areShown: showsMarks, onChange: setShowsMarks }}
        />
      )}
    </>
  )
}

/** The grid of a chart before its values are there. */
function ChartLoading() {
  return (
    <div
      role="status"
      aria-label={charts.loadingLabel}
      className="relative flex h-[300px] animate-pulse flex-col justify-between py-3"
    >
      {['6', '5', '4', '3', '2', '1', '0'].map((line) => (
        <span key={line} aria-hidden="true" className="border-t border-line" />
      ))}
      <span
        aria-hidden="true"
        className="absolute inset-0 flex items-center justify-center gap-1.5 [&>span]:w-2 [&>span]:rounded-sm [&>span]:bg-line-strong"
      >
        <span className="h-6" />
        <span className="h-10" />
        <span className="h-8" />
      </span>
    </div>
  )
}
