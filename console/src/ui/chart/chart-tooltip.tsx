import { momentInZones } from '~/lib/dates'
import * as text from '~/messages/charts'
import type { ChartData, ChartMark } from '~/ui/chart/chart-data'
import { SeriesMark } from '~/ui/chart/series-mark'

interface ChartTooltipProps {
  title: string
  data: ChartData
  hidden: ReadonlySet<string>
  formatValue: (value: number) => string
  /** Index of the moment in the times. */
  pointIndex: number
  /** Where the moment is in the picture, and how wide the picture is, in CSS pixels. */
  left: number
  width: number
  /** The events under the crosshair. */
  marks: readonly ChartMark[]
}

/** Most lines that are shown, so that the tooltip does not cover the chart. */
const MAX_LINES = 8

/** The values at one moment, beside the crosshair. */
export function ChartTooltip(props: ChartTooltipProps) {
  const { title, data, hidden, formatValue, pointIndex, left, width, marks } = props
  const lines = data.series
    .map(({ label, values }, index) => ({ label, index, value: values[pointIndex] ?? null }))
    .filter(({ label }) => !hidden.has(label))
    .toSorted((one, other) => (other.value ?? -Infinity) - (one.value ?? -Infinity))
  const isLeftHalf = left < width / 2
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-2 z-10 max-w-72 min-w-40 rounded-md bg-raised text-xs shadow-overlay"
      style={isLeftHalf ? { left: left + 12 } : { right: width - left + 12 }}
    >
      <div className="border-b border-line px-3 py-1.5 text-fg-muted">
        {momentInZones(new Date(data.times[pointIndex] ?? 0)).map((text) => (
          <div key={text} className="tabular">
            {text}
          </div>
        ))}
      </div>
      {marks.length > 0 && (
        <ul className="space-y-0.5 border-b border-line px-3 py-1.5">
          {marks.slice(0, MAX_LINES).map(({ id, label, isFailure }) => (
            <li key={id} className={isFailure ? 'text-danger-text' : 'text-fg'}>
              {label}
            </li>
          ))}
        </ul>
      )}
      <div className="space-y-1 px-3 py-2">
        {data.series.length === 1 && <div className="text-fg-muted">{title}</div>}
        {lines.slice(0, MAX_LINES).map(({ label, index, value }) => (
          <div key={label} className="flex items-center gap-2">
            {data.series.length > 1 && (
              <>
                <SeriesMark index={index} />
                <span className="min-w-0 grow truncate text-fg-muted">{label}</span>
              </>
            )}
            <span className="font-mono whitespace-nowrap tabular">
              {value === null ? text.noValueLabel : formatValue(value)}
            </span>
          </div>
        ))}
        {lines.length > MAX_LINES && (
          <div className="text-fg-subtle">{text.moreSeriesText(lines.length - MAX_LINES)}</div>
        )}
      </div>
    </div>
  )
}
