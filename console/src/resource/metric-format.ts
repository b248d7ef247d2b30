import type { Units } from '~/api/generated/types.gen'
import { roundTo } from '~/lib/numbers'
import { formatBytes } from '~/lib/units'
import * as text from '~/messages/metric'
import { formatCount } from '~/ui/chart/chart-axis'

/** How values of a unit are formatted. */
export interface UnitFormat {
  /** Shown in the title; absent if the values contain the unit. */
  unit?: string
  formatValue: (value: number) => string
  formatTick: (value: number) => string
}

const exact = (value: number) => roundTo(value, 3).toLocaleString()
const plain: UnitFormat = { formatValue: exact, formatTick: shortNumber }

/** Small numbers in full, large ones shortened. */
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

/** A duration in a suitable unit, from nanoseconds to seconds. */
export function formatNanoseconds(nanoseconds: number): string {
  const [size, unit] = STEPS.find(([size]) => Math.abs(nanoseconds) >= size) ?? [1, 'ns']
  return `${Number((nanoseconds / size).toPrecision(4)).toLocaleString()} ${unit}`
}

// Created once, because charts are redrawn when they get a different function.
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

/** How values of a unit are formatted; as plain numbers if the unit is unknown. */
export const unitFormat = (units: Units | undefined): UnitFormat => (units ? formats[units] : plain)
