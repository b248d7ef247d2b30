import type { Units } from '~/api/generated/types.gen'
import { roundTo } from '~/lib/numbers'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/metric'
import { formatCount } from '~/ui/chart/chart-axis'

/** How values of a unit are written. */
export interface UnitFormat {
  /** What the title says of it; nothing where the values say it themselves. */
  unit?: string
  formatValue: (value: number) => string
  formatTick: (value: number) => string
}

const exact = (value: number) => roundTo(value, 3).toLocaleString()
const plain: UnitFormat = { formatValue: exact, formatTick: shortNumber }

/** Small numbers as they are, large ones shortened. */
function shortNumber(value: number): string {
  return Math.abs(value) < 1 ? String(Number(value.toPrecision(3))) : formatCount(value)
}

const withUnit = (unit: string): UnitFormat => ({
  unit,
  formatValue: (value) => `${exact(value)} ${unit}`,
  formatTick: shortNumber,
})

const STEPS: readonly [nanoseconds: number, unit: string][] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
]

/** A stretch of time in the unit that suits it, from nanoseconds to seconds. */
export function formatNanoseconds(nanoseconds: number): string {
  const [size, unit] = STEPS.find(([size]) => Math.abs(nanoseconds) >= size) ?? [1, 'ns']
  return `${Number((nanoseconds / size).toPrecision(4)).toLocaleString()} ${unit}`
}

// Made once, because charts draw themselves anew when they are given other functions.
const formats: Record<Units, UnitFormat> = {
  count: { ...plain, unit: text.countLabel },
  none: plain,
  bytes: {
    formatValue: (value) => formatBytes(value),
    formatTick: (value) => formatBytes(value, 1),
  },
  nanoseconds: { formatValue: formatNanoseconds, formatTick: formatNanoseconds },
  seconds: withUnit('s'),
  volts: withUnit('V'),
  amps: withUnit('A'),
  watts: withUnit('W'),
  degrees_celsius: withUnit('°C'),
  rpm: withUnit('rpm'),
}

/** How values of a unit are written; plain numbers where it is not known. */
export const unitFormat = (units: Units | undefined): UnitFormat => (units ? formats[units] : plain)
