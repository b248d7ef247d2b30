import { roundTo } from './numbers'

/** Bytes in one kibibyte. */
export const KIB = 1024
/** Bytes in one mebibyte. */
export const MIB = 1024 ** 2
/** Bytes in one gibibyte. */
export const GIB = 1024 ** 3
/** Bytes in one tebibyte. */
export const TIB = 1024 ** 4

/** Largest disk that the platform makes, in GiB. */
export const MAX_DISK_SIZE_GIB = 1023

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'] as const

/** A binary unit of size. */
export type ByteUnit = (typeof BYTE_UNITS)[number]

/** A size split for display: the number and its unit are styled apart. */
export interface ByteParts {
  /** The number, at most two decimals, without grouping. */
  value: string
  unit: ByteUnit
}

/**
 * Splits a size into a number below 1024 (at most `digits` decimals) and its binary unit.
 *
 * Rounding may reach 1024, in which case the next unit is taken: 1023.999 MiB is `1 GiB`, never `1024 MiB`.
 *
 * @param bytes whole or fractional bytes; a negative size keeps its sign.
 */
export function bytesToParts(bytes: number, digits = 2): ByteParts {
  let scaled = Math.abs(bytes)
  let index = 0
  while (index < BYTE_UNITS.length - 1 && roundTo(scaled, index === 0 ? 0 : digits) >= 1024) {
    scaled /= 1024
    index += 1
  }
  const rounded = roundTo(scaled, digits)
  return {
    value: String(bytes < 0 && rounded !== 0 ? -rounded : rounded),
    unit: BYTE_UNITS[index] ?? 'B',
  }
}

/** A size as text, for example `4 GiB` or `1.5 KiB`. */
export function formatBytes(bytes: number, digits = 2): string {
  const { value, unit } = bytesToParts(bytes, digits)
  return `${value} ${unit}`
}

/** Bytes to GiB, rounded to two decimals. */
export function bytesToGib(bytes: number): number {
  return roundTo(bytes / GIB, 2)
}

/** Bytes to TiB, rounded to two decimals. */
export function bytesToTib(bytes: number): number {
  return roundTo(bytes / TIB, 2)
}

/**
 * Rounds a size in GiB up to the next multiple of ten, capped at the largest disk (1023 GiB).
 * Suggests a disk size for an image or snapshot: 1 gives 10, 11 gives 20, 1021 gives 1023.
 */
export function roundUpToTenGib(gib: number): number {
  return Math.min(Math.ceil(gib / 10) * 10, MAX_DISK_SIZE_GIB)
}
