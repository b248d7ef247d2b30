import { Button } from 'react-aria-components/Button'

import * as text from '~/messages/charts'
import type { ChartSeries } from '~/ui/chart/chart-data'
import { SeriesMark } from '~/ui/chart/series-mark'

interface ChartLegendProps {
  series: readonly ChartSeries[]
  /** Labels of the series that are not drawn. */
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

/** The colors of the series, with a button for each that hides it. */
export function ChartLegend({ series, hidden, onChange }: ChartLegendProps) {
  const show = (label: string, isShown: boolean) => {
    const next = new Set(hidden)
    if (isShown) next.delete(label)
    else next.add(label)
    onChange(next)
  }
  return (
    <div
      role="group"
      aria-label={text.seriesLabel}
      className="mt-2 flex max-h-24 flex-wrap gap-x-1 gap-y-0.5 overflow-y-auto"
    >
      {series.map(({ label }, index) => (
        <Button
          key={label}
          aria-pressed={!hidden.has(label)}
          onPress={() => show(label, hidden.has(label))}
          className="flex h-6 max-w-full cursor-default items-center gap-2 rounded-sm px-1.5 text-xs text-fg-subtle line-through hover:bg-hover aria-pressed:text-fg-muted aria-pressed:no-underline"
        >
          <SeriesMark index={index} />
          <span className="truncate">{label}</span>
        </Button>
      ))}
    </div>
  )
}
