import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import uPlot from 'uplot'

import { formatDateTimeRange, formatMoment } from '~/lib/dates'
import * as text from '~/messages/chart-zoom'
import * as messages from '~/messages/charts'
import { marksAt } from '~/ui/chart/chart-data'
import type { ChartMark, ChartZoom } from '~/ui/chart/chart-data'
import { ChartTooltip } from '~/ui/chart/chart-tooltip'
import { PLOT_HEIGHT, plotOptions, showSelection } from '~/ui/chart/plot-options'
import type { PlotLook } from '~/ui/chart/plot-options'
import { useTheme } from '~/ui/chart/use-theme'

/** Properties of {@link ChartPlot}. */
export interface ChartPlotProps extends PlotLook {
  title: string
  formatValue: (value: number) => string
  zoom?: ChartZoom
  /** Whether the picture had the focus when it asked for another range, and so gets it back. */
  keepsFocus: boolean
  onKeepFocus: (keepsFocus: boolean) => void
}

/** Pixels beside a mark in which the crosshair is on it. */
const MARK_REACH = 6

interface Pointer {
  /** Place of the moment among the chart's times. */
  pointIndex: number
  /** Where it is in the picture, in CSS pixels from its left edge. */
  left: number
  /** Width of the picture. */
  width: number
  /** The events under it. */
  marks: readonly ChartMark[]
}

/**
 * The picture itself. The pointer, or the arrow keys while it has the focus, move a crosshair over it whose values stand in a box
 * beside it; for assistive technology it is a slider over the moments, whose value is what was measured then. Dragging, or the arrow keys
 * with Shift, select a part of it to zoom in.
 */
export function ChartPlot(props: ChartPlotProps) {
  const { title, formatValue, zoom, keepsFocus, onKeepFocus, ...look } = props
  const { data, range, shape, axis, formatTick, hidden, syncKey, marks } = look
  const canZoom = zoom !== undefined
  const latestZoom = useRef(zoom)
  useEffect(() => {
    latestZoom.current = zoom
  })
  const helpId = useId()
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const theme = useTheme()
  const [pointer, setPointer] = useState<Pointer | null>(null)

  useLayoutEffect(() => {
    const element = host.current
    if (!element) return undefined
    const onCursor = ({ cursor, over, bbox, width, valToPos }: uPlot) => {
      const { idxs = [], left = -1 } = cursor
      const pointIndex = idxs.find((index) => index != null)
      // Crosshairs that come from another chart move along without a box of their own.
      const isOwn = over.matches(':hover') || element.contains(document.activeElement)
      setPointer(
        pointIndex == null || left < 0 || !isOwn
          ? null
          : {
              pointIndex,
              left: left + bbox.left / devicePixelRatio,
              width,
              marks: marks.filter(({ time }) => Math.abs(valToPos(time, 'x') - left) <= MARK_REACH),
            },
      )
    }
    const columns = [data.times, ...data.series.map(({ values }) => values)]
    const made = new uPlot(
      plotOptions({ data, range, shape, axis, formatTick, hidden, syncKey, marks }, element, {
        onCursor,
        onSelect: canZoom ? (selected) => latestZoom.current?.zoomIn(selected) : undefined,
        onDoubleClick: () => latestZoom.current?.zoomOut?.(),
      }),
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
  }, [data, range, shape, axis, formatTick, hidden, syncKey, marks, canZoom, theme])

  const [startsFocused] = useState(keepsFocus)
  useEffect(() => {
    if (startsFocused) host.current?.focus()
  }, [startsFocused])
  useEffect(() => onKeepFocus(false), [onKeepFocus, data])

  const [pointIndex, setPointIndex] = useState(0)
  const last = Math.max(0, data.times.length - 1)
  useEffect(() => setPointIndex(last), [last])
  /** Where the selection by keyboard began, among the chart's times. */
  const [anchor, setAnchor] = useState<number | null>(null)
  useEffect(() => setAnchor(null), [data])
  const moveTo = (wanted: number) => {
    const next = Math.min(last, Math.max(0, wanted))
    setPointIndex(next)
    const left = plot.current?.valToPos(data.times[next] ?? 0, 'x') ?? 0
    plot.current?.setCursor({ left, top: PLOT_HEIGHT / 2 })
  }
  const select = (from: number | null, to: number) => {
    setAnchor(from)
    if (!plot.current) return
    const ends = [data.times[from ?? 0] ?? 0, data.times[to] ?? 0] as const
    showSelection(plot.current, from === null ? null : ends)
  }
  /** @returns whether the key zooms, or ends a selection. */
  const zoomBy = (key: string): boolean => {
    const isSelected = anchor !== null && anchor !== pointIndex
    if (key === 'Enter' && isSelected) {
      const [start = 0, end = 0] = [anchor, pointIndex]
        .toSorted((a, b) => a - b)
        .map((at) => data.times[at] ?? 0)
      onKeepFocus(true)
      select(null, 0)
      zoom?.zoomIn({ start: new Date(start), end: new Date(end) })
      return true
    }
    if (key === '-' && zoom?.zoomOut) {
      onKeepFocus(true)
      zoom.zoomOut()
      return true
    }
    if (key !== 'Escape' || anchor === null) return false
    select(null, 0)
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (zoomBy(event.key)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
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
    const to = Math.min(last, Math.max(0, target))
    select(canZoom && event.shiftKey ? (anchor ?? pointIndex) : null, to)
  }
  const shown = data.series.filter(({ label }) => !hidden.has(label))
  const describePoint = (at: number) => {
    const values = shown.map(({ label, values: all }) => {
      const value = all[at] ?? null
      const text = value === null ? messages.noValueLabel : formatValue(value)
      return shown.length > 1 ? `${label} ${text}` : text
    })
    const events = marksAt(marks, data.times, at).map(({ label }) => label)
    const moment = formatMoment(new Date(data.times[at] ?? 0))
    return `${moment}: ${[...values.slice(0, 10), ...events].join(', ')}`
  }
  const current = Math.min(pointIndex, last)
  const ends = [anchor ?? current, current].toSorted((a, b) => a - b)
  const [from = 0, to = 0] = ends.map((at) => data.times[at] ?? 0)
  const isSelected = anchor !== null && anchor !== current
  return (
    <div className="relative">
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label={messages.overTimeLabel(title)}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={current}
        aria-valuetext={
          isSelected
            ? text.selectedText(formatDateTimeRange(new Date(from), new Date(to)))
            : describePoint(current)
        }
        aria-describedby={canZoom ? helpId : undefined}
        onKeyDown={onKeyDown}
        onBlur={() => {
          plot.current?.setCursor({ left: -10, top: -10 })
          select(null, 0)
        }}
        className="h-[300px] rounded-sm [&_.u-select]:bg-accent-solid! [&_.u-select]:opacity-25"
      />
      {canZoom && (
        <p id={helpId} hidden>
          {text.zoomHelp}
        </p>
      )}
      {pointer && (
        <ChartTooltip
          title={title}
          data={data}
          hidden={hidden}
          formatValue={formatValue}
          pointIndex={pointer.pointIndex}
          left={pointer.left}
          width={pointer.width}
          marks={pointer.marks}
        />
      )}
    </div>
  )
}
