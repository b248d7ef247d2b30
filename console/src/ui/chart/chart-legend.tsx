import type { ReactNode } from 'react'

import * as zoom from '~/messages/chart-zoom'
import * as text from '~/messages/charts'
import type { ChartSeries } from '~/ui/chart/chart-data'
import { SeriesMark } from '~/ui/chart/series-mark'
import { PressButton } from '~/ui/press-button'

interface ChartLegendProps {
  series: readonly ChartSeries[]
  /** Labels of the series that are not drawn. */
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
  /** Whether the marks of events are drawn; `false` if there are none. */
  marks: { areShown: boolean; onChange: (areShown: boolean) => void } | false
}

/** The colors of the series, with a button for each that hides it, and one for the events. */
export function ChartLegend({ series, hidden, onChange, marks }: ChartLegendProps) {
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
        <LegendButton
          key={label}
          isShown={!hidden.has(label)}
          onToggle={() => show(label, hidden.has(label))}
        >
          <SeriesMark index={index} />
          <span className="truncate">{label}</span>
        </LegendButton>
      ))}
      {marks && (
        <LegendButton isShown={marks.areShown} onToggle={() => marks.onChange(!marks.areShown)}>
          <span aria-hidden="true" className="h-3 border-l border-dashed border-fg-subtle" />
          {zoom.eventsLabel}
        </LegendButton>
      )}
    </div>
  )
}

interface LegendButtonProps {
  isShown: boolean
  onToggle: () => void
  children: ReactNode
}

const LegendButton = ({ isShown, onToggle, children }: LegendButtonProps) => (
  <PressButton
    aria-pressed={isShown}
    onPress={onToggle}
    className="flex h-6 max-w-full cursor-default items-center gap-2 rounded-sm px-1.5 text-xs text-fg-subtle line-through hover:bg-hover aria-pressed:text-fg-muted aria-pressed:no-underline"
  >
    {children}
  </PressButton>
)
