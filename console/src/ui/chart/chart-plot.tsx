import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import uPlot from 'uplot'

import { formatMoment } from '~/lib/dates'
import * as messages from '~/messages/charts'
import { ChartTooltip } from '~/ui/chart/chart-tooltip'
import { PLOT_HEIGHT, plotOptions } from '~/ui/chart/plot-options'
import type { PlotLook } from '~/ui/chart/plot-options'
import { useTheme } from '~/ui/chart/use-theme'

/** Properties of {@link ChartPlot}. */
export interface ChartPlotProps extends PlotLook {
  title: string
  formatValue: (value: number) => string
}

interface Pointer {
  /** Place of the moment among the chart's times. */
  pointIndex: number
  /** Where it is in the picture, in CSS pixels from its left edge. */
  left: number
  /** Width of the picture. */
  width: number
}

/**
 * The picture itself. The pointer, or the arrow keys while it has the focus, move a crosshair over it whose values stand in a box
 * beside it; for assistive technology it is a slider over the moments, whose value is what was measured then.
 */
export function ChartPlot({ title, formatValue, ...look }: ChartPlotProps) {
  const { data, range, shape, axis, formatTick, hidden, syncKey } = look
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const theme = useTheme()
  const [pointer, setPointer] = useState<Pointer | null>(null)

  useLayoutEffect(() => {
    const element = host.current
    if (!element) return undefined
    const onCursor = ({ cursor, over, bbox, width }: uPlot) => {
      const { idxs = [], left = -1 } = cursor
      const pointIndex = idxs.find((index) => index != null)
      // Crosshairs that come from another chart move along without a box of their own.
      const isOwn = over.matches(':hover') || element.contains(document.activeElement)
      setPointer(
        pointIndex == null || left < 0 || !isOwn
          ? null
          : { pointIndex, left: left + bbox.left / devicePixelRatio, width },
      )
    }
    const columns = [data.times, ...data.series.map(({ values }) => values)]
    const made = new uPlot(
      plotOptions({ data, range, shape, axis, formatTick, hidden, syncKey }, element, onCursor),
      columns as unknown as uPlot.AlignedData,
      element,
    )
    plot.current = made
    // A new plot has no crosshair, so it has no tooltip.
    setPointer(null)
    const observer = new ResizeObserver(() => {
      if (element.clientWidth !== made.width)
        made.setSize({ width: element.clientWidth, height: PLOT_HEIGHT })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [data, range, shape, axis, formatTick, hidden, syncKey, theme])

  const [pointIndex, setPointIndex] = useState(0)
  const last = Math.max(0, data.times.length - 1)
  useEffect(() => setPointIndex(last), [last])
  const moveTo = (wanted: number) => {
    const next = Math.min(last, Math.max(0, wanted))
    setPointIndex(next)
    const left = plot.current?.valToPos(data.times[next] ?? 0, 'x') ?? 0
    plot.current?.setCursor({ left, top: PLOT_HEIGHT / 2 })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = {
      ArrowLeft: pointIndex - 1,
      ArrowDown: pointIndex - 1,
      ArrowRight: pointIndex + 1,
      ArrowUp: pointIndex + 1,
      Home: 0,
      End: last,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    moveTo(target)
  }
  const shown = data.series.filter(({ label }) => !hidden.has(label))
  const describePoint = (at: number) => {
    const values = shown.map(({ label, values: all }) => {
      const value = all[at] ?? null
      const text = value === null ? messages.noValueLabel : formatValue(value)
      return shown.length > 1 ? `${label} ${text}` : text
    })
    return `${formatMoment(new Date(data.times[at] ?? 0))}: ${values.slice(0, 10).join(', ')}`
  }
  return (
    <div className="relative">
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label={messages.overTimeLabel(title)}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(pointIndex, last)}
        aria-valuetext={describePoint(Math.min(pointIndex, last))}
        onKeyDown={onKeyDown}
        onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
        className="h-[300px] rounded-sm"
      />
      {pointer && (
        <ChartTooltip
          title={title}
          data={data}
          hidden={hidden}
          formatValue={formatValue}
          pointIndex={pointer.pointIndex}
          left={pointer.left}
          width={pointer.width}
        />
      )}
    </div>
  )
}
