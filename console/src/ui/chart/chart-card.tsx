import { ChartLine, Download, Ellipsis, Table2 } from 'lucide-react'
import { useId, useState } from 'react'

import { toCsv } from '~/lib/csv'
import { saveText } from '~/lib/save-file'
import * as messages from '~/messages/charts'
import { buttonClass } from '~/ui/button-class'
import { Chart } from '~/ui/chart/chart'
import type { ChartProps } from '~/ui/chart/chart'
import { hasValues } from '~/ui/chart/chart-data'
import type { ChartData } from '~/ui/chart/chart-data'
import { MenuButton } from '~/ui/menu'
import type { MenuEntry } from '~/ui/menu'

/** Properties of {@link ChartCard}. */
export interface ChartCardProps extends Omit<ChartProps, 'isTable'> {
  /** Of the values, for example "GiB"; without one they are plain numbers. */
  unit?: string
  /** What the numbers mean, in a sentence. */
  description?: string
  /** Further entries of the card's menu. */
  menu?: readonly MenuEntry[]
  /** Name of the file of values, without its ending. */
  fileName: string
}

/** A chart with its title, and a menu that shows or saves its values. */
export function ChartCard({ unit, description, menu = [], fileName, ...chart }: ChartCardProps) {
  const { title, data } = chart
  const titleId = useId()
  const [isTable, setTable] = useState(false)
  const isEmpty = !data || !hasValues(data)
  return (
    <section aria-labelledby={titleId} className="min-w-0 rounded-md border border-line">
      <header className="flex items-start justify-between gap-3 px-4 pt-3">
        <div className="min-w-0">
          <h2 id={titleId} className="text-base font-semibold">
            {title} {unit && <span className="font-normal text-fg-subtle">({unit})</span>}
          </h2>
          {description && <p className="mt-0.5 text-sm text-fg-muted">{description}</p>}
        </div>
        <MenuButton
          label={messages.actionsLabel(title)}
          className={buttonClass({ variant: 'ghost', size: 'icon', className: '-mr-1.5' })}
          trigger={<Ellipsis aria-hidden="true" />}
          items={[
            {
              id: 'view',
              label: isTable ? messages.viewChartLabel : messages.viewTableLabel,
              icon: isTable ? ChartLine : Table2,
              needs: null,
              onAction: () => setTable(!isTable),
            },
            {
              id: 'download',
              label: messages.downloadLabel,
              icon: Download,
              disabledReason: isEmpty ? messages.nothingToDownloadError : undefined,
              needs: null,
              onAction: () => data && saveText(`${fileName}.csv`, 'text/csv', chartCsv(data, unit)),
            },
            ...menu,
          ]}
        />
      </header>
      <div className="px-4 pt-2 pb-4">
        <Chart {...chart} isTable={isTable} />
      </div>
    </section>
  )
}

/** The values of a chart as a file: a row for each moment, a column for each series. */
export function chartCsv({ times, series }: ChartData, unit?: string): string {
  return toCsv([
    ['time', ...series.map(({ label }) => (unit ? `${label} (${unit})` : label))],
    ...times.map((time, index) => [
      new Date(time).toISOString(),
      ...series.map(({ values }) => values[index] ?? null),
    ]),
  ])
}
