import { formatMoment, momentInZones } from '~/lib/dates'
import { formatInteger } from '~/lib/numbers'
import * as text from '~/messages/charts'
import type { ChartData } from '~/ui/chart/chart-data'

interface ChartTableProps {
  /** Names the table. */
  title: string
  data: ChartData
  /** A value with its unit. */
  formatValue: (value: number) => string
}

/** Most rows that are shown, to keep the page fast. */
const MAX_ROWS = 1000

const headClass =
  'sticky top-0 bg-chrome px-3 py-1.5 text-left text-label font-normal whitespace-nowrap text-fg-subtle'

/** The values of a chart as a table, latest first, for people who cannot use the picture. */
export function ChartTable({ title, data: { times, series }, formatValue }: ChartTableProps) {
  const indices = times.map((_, index) => index).toReversed()
  const shown = indices.slice(0, MAX_ROWS)
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
          {shown.map((index) => {
            const moment = new Date(times[index] ?? 0)
            return (
              <tr key={times[index]} className="hover:bg-hover">
                <th
                  scope="row"
                  title={momentInZones(moment).join('\n')}
                  className="border-t border-line px-3 py-1 text-left font-normal whitespace-nowrap text-fg-muted"
                >
                  {formatMoment(moment)}
                </th>
                {series.map(({ label, values }) => {
                  const value = values[index] ?? null
                  return (
                    <td
                      key={label}
                      className="border-t border-line px-3 py-1 font-mono whitespace-nowrap"
                    >
                      {value === null ? (
                        <span className="text-fg-subtle">{text.noValueLabel}</span>
                      ) : (
                        formatValue(value)
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
      {indices.length > MAX_ROWS && (
        <p className="border-t border-line px-3 py-2 text-xs text-fg-muted">
          {text.latestPointsText(formatInteger(MAX_ROWS), formatInteger(indices.length))}
        </p>
      )}
    </div>
  )
}
