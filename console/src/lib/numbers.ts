const ONE_MILLION = 1_000_000
const ENGINEERING_FROM = 1e15

/**
 * Rounds half away from zero to a number of decimals.
 *
 * Works on the decimal text that people see, so that 1.005 becomes 1.01 although the double lies below it.
 *
 * @param digits decimals to keep, 0 to 20.
 */
export function roundTo(value: number, digits: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value
  const format = numberFormat('en-US', { maximumFractionDigits: digits, useGrouping: false })
  return Number(format.format(value))
}

/**
 * Share of a whole in percent.
 *
 * Big integers are divided as integers and truncated to two decimals, because they exceed what a double holds exactly.
 *
 * @throws RangeError when a big-integer whole is zero; the caller decides what an empty whole means.
 */
export function percentOf<N extends number | bigint>(part: N, whole: N): number {
  if (typeof part === 'bigint' && typeof whole === 'bigint') {
    return Number((part * 10_000n) / whole) / 100
  }
  return (Number(part) * 100) / Number(whole)
}

/** A number split at its decimal separator; `decimal` holds the separator too and is empty for whole numbers. */
export interface NumberParts {
  whole: string
  decimal: string
}

/** Splits a number with at most two decimals into its locale-formatted whole and decimal part: 1000.5 is `1,000` and `.5`. */
export function splitDecimal(value: number, locale?: string): NumberParts {
  const parts = numberFormat(locale, { maximumFractionDigits: 2 }).formatToParts(value)
  const start = parts.findIndex((part) => part.type === 'decimal')
  const text = (some: Intl.NumberFormatPart[]): string => some.map((part) => part.value).join('')
  return start === -1
    ? { whole: text(parts), decimal: '' }
    : { whole: text(parts.slice(0, start)), decimal: text(parts.slice(start)) }
}

/** How a possibly huge number is shown. */
export interface BigNumberText {
  text: string
  /** The grouped number in full, for the tooltip of an abbreviated one. */
  full: string
  abbreviated: boolean
}

/**
 * Shows a number in the reader's locale: grouped below one million, compact (`1.2M`) from there, engineering
 * notation (`18.4e18`) from 1e15.
 */
export function formatBigNumber(value: number | bigint, locale?: string): BigNumberText {
  const full = formatInteger(value, locale)
  const magnitude = value < 0 ? -value : value
  if (magnitude < ONE_MILLION) return { text: full, full, abbreviated: false }
  const notation = magnitude < ENGINEERING_FROM ? 'compact' : 'engineering'
  const text = numberFormat(locale, { notation, maximumFractionDigits: 1 }).format(value)
  return { text: notation === 'engineering' ? text.toLowerCase() : text, full, abbreviated: true }
}

/** A number with the locale's grouping. */
export function formatInteger(value: number | bigint, locale?: string): string {
  return numberFormat(locale, {}).format(value)
}

const formats = new Map<string, Intl.NumberFormat>()

// Building an Intl formatter costs far more than using it, and tables ask for the same few hundreds of times.
function numberFormat(
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const key = JSON.stringify([locale, options])
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, options)
    formats.set(key, format)
  }
  return format
}
