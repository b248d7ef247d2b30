import uPlot from 'uplot'

import { axisTicks, axisTop, timeTickFormat, timeTicks } from '~/ui/chart/chart-axis'
import { isolatedPlaces, largestValue } from '~/ui/chart/chart-data'
import type { ChartData, ChartMark, ChartRange, ChartShape } from '~/ui/chart/chart-data'
import { isDashed, seriesColor } from '~/ui/chart/series-color'

/** What decides how a plot looks, apart from its size. */
export interface PlotLook {
  data: ChartData
  range: ChartRange
  shape: ChartShape
  /** `amounts` begins at zero and has whole ticks; `free` follows the values wherever they are. */
  axis: 'amounts' | 'free'
  formatTick: (value: number) => string
  /** Labels of the series that are not drawn. */
  hidden: ReadonlySet<string>
  /** Charts with the same one share a crosshair. */
  syncKey?: string
  /** Events, each of which is a line. */
  marks: readonly ChartMark[]
}

/** What a plot tells of. */
export interface PlotEvents {
  /** The crosshair moved or left. */
  onCursor: (plot: uPlot) => void
  /** A part of the picture was selected by dragging; without it nothing can be selected. */
  onSelect?: (selected: ChartRange) => void
  /** The picture was pressed twice. */
  onDoubleClick: () => void
}

/** Pixels that the pointer is dragged over before something is selected. */
const MIN_DRAG = 6

/** Height of every chart, in CSS pixels. */
export const PLOT_HEIGHT = 300

/** Width of a character of the ticks' font, in CSS pixels, slightly more than it takes. */
const CHARACTER = 6.8

/** The picture of a chart in the colours that are in force now: canvases know no style sheets. */
export function plotOptions(
  look: PlotLook,
  element: HTMLElement,
  { onCursor, onSelect, onDoubleClick }: PlotEvents,
): uPlot.Options {
  const { data, range, shape, hidden, syncKey } = look
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const font = `11px ${token('--font-mono')}`
  const axisLook = { stroke: token('--color-fg-subtle'), font, ticks: { show: false } }
  const line = { stroke: token('--color-line'), width: 1 }
  const formatTime = timeTickFormat(range)
  const times = timeTicks(range)
  const labelWidth = formatTime(times[0] ?? 0).length * CHARACTER
  const isSingle = data.series.length === 1
  return {
    width: element.clientWidth,
    height: PLOT_HEIGHT,
    padding: [10, null, 0, Math.ceil(labelWidth / 2)],
    legend: { show: false },
    cursor: {
      y: false,
      // A step holds until the next one, so the moment that counts is the last one before the crosshair.
      ...(shape === 'steps' && {
        dataIdx: (_, __, closest, time) =>
          closest > 0 && (data.times[closest] ?? 0) > time ? closest - 1 : closest,
      }),
      drag: { x: onSelect !== undefined, y: false, setScale: false, dist: MIN_DRAG },
      bind: {
        dblclick: () => () => {
          onDoubleClick()
          return null
        },
      },
      points: { size: 7 },
      // Others share the crosshair and not what is selected.
      ...(syncKey && {
        sync: {
          key: syncKey,
          scales: ['x', null],
          filters: { pub: (type) => type === 'mousemove' },
        },
      }),
    },
    hooks: {
      setCursor: [onCursor],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width === 0) return
          showSelection(plot, null)
          const [start = 0, end = 0] = [left, left + width].map((at) => plot.posToVal(at, 'x'))
          onSelect?.({ start: new Date(start), end: new Date(end) })
        },
      ],
      draw: [(plot) => drawMarks(plot, look.marks, token)],
    },
    scales: {
      x: { time: false, range: [range.start.getTime(), range.end.getTime()] },
      y: yScale(look),
    },
    axes: [
      {
        ...axisLook,
        grid: { show: false },
        border: { show: true, ...line },
        splits: () => ticksThatFit(times, labelWidth, element.clientWidth),
        values: (_, splits) => splits.map(formatTime),
        size: 28,
      },
      { ...axisLook, ...yAxis(look), grid: line },
    ],
    series: [
      {},
      ...data.series.map(({ label, values }, index): uPlot.Series => {
        const color = token(seriesColor(index))
        return {
          label,
          show: !hidden.has(label),
          stroke: color,
          width: 1.5,
          ...(isSingle && { fill: translucent(color) }),
          ...(isDashed(index) && { dash: [6, 4] }),
          ...(shape === 'steps' && { paths: uPlot.paths.stepped?.({ align: 1 }) }),
          points: {
            show: true,
            size: 5,
            fill: color,
            filter: () => isolatedPlaces(values),
          },
        }
      }),
    ],
  }
}

/** Shows, or takes away, which part of the picture is selected: from one time to another. */
export function showSelection(plot: uPlot, ends: readonly [number, number] | null): void {
  const [left = 0, right = 0] = (ends ?? [])
    .map((time) => plot.valToPos(time, 'x'))
    .toSorted((a, b) => a - b)
  const height = ends ? plot.over.clientHeight : 0
  plot.setSelect({ left, width: right - left, top: 0, height }, false)
}

function drawMarks(
  { ctx, bbox, valToPos }: uPlot,
  marks: readonly ChartMark[],
  token: (name: string) => string,
): void {
  ctx.save()
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
  for (const { time, isFailure } of marks) {
    ctx.strokeStyle = token(isFailure ? '--color-danger-solid' : '--color-fg-subtle')
    const left = Math.round(valToPos(time, 'x', true))
    ctx.beginPath()
    ctx.moveTo(left, bbox.top)
    ctx.lineTo(left, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

function yScale({ axis, data }: PlotLook): uPlot.Scale {
  return axis === 'amounts' ? { range: [0, axisTop(largestValue(data))] } : { auto: true }
}

function yAxis({ axis, data, formatTick }: PlotLook): uPlot.Axis {
  const width = (labels: readonly string[] | null) =>
    Math.ceil(Math.max(3, ...(labels ?? []).map(({ length }) => length)) * CHARACTER) + 14
  return {
    side: 1,
    size: (_, labels) => width(labels),
    values: (_, splits) => splits.map(formatTick),
    ...(axis === 'amounts' && { splits: () => axisTicks(axisTop(largestValue(data))) }),
  }
}

/** On a phone every other label has to do. */
function ticksThatFit(times: readonly number[], labelWidth: number, width: number): number[] {
  const isTight = times.length * (labelWidth + 16) > width
  return times.filter((_, index) => !isTight || index % 2 === 0)
}

/** The colour of the area under a line of this colour. Tokens are opaque `oklch()` colours. */
const translucent = (color: string) => color.replace(/\)$/, ' / 0.14)')
