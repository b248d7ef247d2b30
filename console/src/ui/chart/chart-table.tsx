import { formatMoment, momentInZones } from '~/lib/dates'
import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/charts'
import type { ChartData, ChartMark } from '~/ui/chart/chart-data'

interface ChartTableProps {
  /** Names the table. */
  title: string
  data: ChartData
  /** A value with its unit. */
  formatValue: (value: number) => string
  /** Events, which have rows of their own. */
  marks: readonly ChartMark[]
}

/** Most rows that are shown, to keep the page fast. */
const MAX_ROWS = 1000

const headClass =
  'sticky top-0 bg-chrome px-3 py-1.5 text-left text-label font-normal whitespace-nowrap text-fg-subtle'

/** The values of a chart as a table, latest first, for people who cannot use the picture. */
export function ChartTable(props: ChartTableProps) {
  const { title, data, formatValue, marks } = props
  const { times, series } = data
  const rows: Row[] = [
    ...times.map((time, index) => ({ key: String(time), time, index })),
    ...marks.map((mark) => ({ key: mark.id, time: mark.time, mark })),
  ].toSorted((one, other) => other.time - one.time)
  const shown = rows.slice(0, MAX_ROWS)
  return (
    <div
      role="region"
      aria-label={text.valuesLabel(title)}
      // A region that scrolls has to be reachable by keyboard.
      tabIndex={0}
      className="h-[300px] overflow-auto rounded-sm border border-line"
    >
      <table aria-label={title} className="w-full border-separate border-spacing-0 text-xs tabular">
        <thead>
          <tr>
            <th scope="col" className={headClass}>
              {text.timeLabel}
            </th>
            {series.map(({ label }) => (
              <th key={label} scope="col" className={headClass}>
                {series.length === 1 ? text.valueLabel : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, time, index, mark }) => (
            <tr key={key} className="hover:bg-hover">
              <th
                scope="row"
                title={momentInZones(new Date(time)).join('\n')}
                className="border-t border-line px-3 py-1 text-left font-normal whitespace-nowrap text-fg-muted"
              >
                {formatMoment(new Date(time))}
              </th>
              {mark ? (
                <td colSpan={series.length} className="border-t border-line px-3 py-1">
                  <span className={mark.isFailure ? 'text-danger-text' : 'text-fg-muted'}>
                    {mark.label}
                  </span>
                </td>
              ) : (
                <Values {...{ data, formatValue }} index={index ?? 0} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && (
        <p className="border-t border-line px-3 py-2 text-xs text-fg-muted">
          {text.latestPointsText(formatInteger(MAX_ROWS), formatInteger(rows.length))}
        </p>
      )}
    </div>
  )
}

/** A moment with its values, or an event. */
interface Row {
  key: string
  time: number
  /** Place of the moment among the times. */
  index?: number
  mark?: ChartMark
}

function Values({
  data: { series },
  formatValue,
  index,
}: Pick<ChartTableProps, 'data' | 'formatValue'> & { index: number }) {
  return series.map(({ label, values }) => {
    const value = values[index] ?? null
    return (
      <td key={label} className="border-t border-line px-3 py-1 font-mono whitespace-nowrap">
        {value === null ? (
          <span className="text-fg-subtle">{text.noValueLabel}</span>
        ) : (
          formatValue(value)
        )}
      </td>
    )
  })
}
