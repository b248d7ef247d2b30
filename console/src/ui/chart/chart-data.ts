/** One line of a chart. */
export interface ChartSeries {
  /** What tells it from the others of the chart. */
  label: string
  /** As many as there are times; null where nothing was measured, which is drawn as a gap and never as zero. */
  values: readonly (number | null)[]
}

/** What a chart shows: series that share their moments. */
export interface ChartData {
  /** Milliseconds since the epoch, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
}

/** The stretch of time that a chart shows, whether something was measured in all of it or not. */
export interface ChartRange {
  start: Date
  end: Date
}

/** How a person changes the range of a chart. */
export interface ChartZoom {
  /** Shows what was selected. */
  zoomIn: (selected: ChartRange) => void
  /** Shows more than now; absent if no more is kept. */
  zoomOut?: () => void
}

/** An event in a chart: a line at its time. */
export interface ChartMark {
  /** Unique in the chart. */
  id: string
  /** Milliseconds since the epoch. */
  time: number
  /** What happened, in words. */
  label: string
  /** Something went wrong. */
  isFailure: boolean
}

/** How a chart joins its points: values hold until the next one (`steps`), or change gradually. */
export type ChartShape = 'line' | 'steps'

/** Whether there is anything to draw. */
export function hasValues({ series }: ChartData): boolean {
  return series.some(({ values }) => values.some((value) => value !== null))
}

/** The largest value, 0 without any. */
export function largestValue({ series }: ChartData): number {
  let largest = 0
  for (const { values } of series) {
    for (const value of values) largest = Math.max(largest, value ?? 0)
  }
  return largest
}

/** Several charts' series on one axis of time: the union of their moments, with gaps where one has no value. */
export function alignSeries(
  parts: readonly { label: string; times: readonly number[]; values: readonly (number | null)[] }[],
): ChartData {
  const times = [...new Set(parts.flatMap((part) => part.times))].toSorted((a, b) => a - b)
  const series = parts.map(({ label, times: own, values }) => {
    const byTime = new Map(own.map((time, index) => [time, values[index] ?? null]))
    return { label, values: times.map((time) => byTime.get(time) ?? null) }
  })
  return { times, series }
}

/** The places of values without a neighbour, which no line would show. */
export function isolatedPlaces(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )
}

/** The marks between the moment at this place and the next one; those before the first moment are at the first. */
export function marksAt(
  marks: readonly ChartMark[],
  times: readonly number[],
  place: number,
): ChartMark[] {
  const from = place === 0 ? -Infinity : (times[place] ?? Infinity)
  const to = times[place + 1] ?? Infinity
  return marks.filter(({ time }) => time >= from && time < to)
}
