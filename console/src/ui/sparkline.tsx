interface SparklineProps {
  /** What it shows, in words. */
  label: string
  /** Percentages at equal distances; `null` where there is none. */
  values: readonly (number | null)[]
}

const WIDTH = 88
const HEIGHT = 20

/** A small line without axes, from 0 to 100 percent. A gap is a gap. */
export function Sparkline({ label, values }: SparklineProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      width={WIDTH}
      height={HEIGHT + 2}
      className="shrink-0 fill-none stroke-chart-1"
    >
      <path d={`M0 ${HEIGHT}H${WIDTH}`} className="stroke-line" />
      <path d={linePath(values)} strokeWidth={1.5} strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  )
}

/** The line through the values, with a new beginning after each gap. */
export function linePath(values: readonly (number | null)[]): string {
  const step = WIDTH / Math.max(1, values.length - 1)
  return values
    .map((value, index) => {
      if (value === null) return ''
      const begins = (values[index - 1] ?? null) === null
      const point = `${(index * step).toFixed(1)} ${(HEIGHT * (1 - value / 100)).toFixed(1)}`
      // A point between two gaps is a dot.
      const isAlone = begins && (values[index + 1] ?? null) === null
      return `${begins ? 'M' : 'L'}${point}${isAlone ? 'h0' : ''}`
    })
    .join('')
}
