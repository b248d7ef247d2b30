/** Names of the ICMP types that people filter by (IANA, "ICMP Type Numbers"). */
export const ICMP_TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'Echo Reply'],
  [3, 'Destination Unreachable'],
  [5, 'Redirect Message'],
  [8, 'Echo Request'],
  [9, 'Router Advertisement'],
  [10, 'Router Solicitation'],
  [11, 'Time Exceeded'],
  [12, 'Parameter Problem'],
  [13, 'Timestamp Request'],
  [14, 'Timestamp Reply'],
])

/** Types and codes are one byte each. */
const MAX_BYTE = 255

/** An ICMP type in words: its number and its name, or "Type" and the number again. */
export const icmpTypeLabel = (type: number): string =>
  `${type} - ${ICMP_TYPE_NAMES.get(type) ?? `Type ${type}`}`

/**
 * Reads an ICMP type; surrounding spaces do not count.
 *
 * @returns nothing unless it is written in digits alone and at most 255.
 */
export function parseIcmpType(text: string): number | undefined {
  const digits = text.trim()
  return isByte(digits) ? Number(digits) : undefined
}

/** @returns the message for a text that is no ICMP type; a blank one stands for all types. */
export function validateIcmpType(text: string): string | undefined {
  if (text.trim() === '' || parseIcmpType(text) !== undefined) return undefined
  return 'ICMP type must be a number between 0 and 255'
}

/** @returns the message for a text that is neither an ICMP code nor a range of codes; a blank one stands for all codes. */
export function validateIcmpCode(text: string): string | undefined {
  const code = text.trim()
  if (code === '') return undefined
  const match = /^([0-9]+)(?:-([0-9]+))?$/.exec(code)
  const [, first = '', last] = match ?? []
  if (!match) return 'ICMP code must be a number or numeric range'
  if (last === undefined) return isByte(first) ? undefined : 'ICMP code must be between 0 and 255'
  if (!isByte(first)) return 'ICMP code range start must be between 0 and 255'
  if (!isByte(last)) return 'ICMP code range end must be between 0 and 255'
  return Number(first) > Number(last)
    ? 'ICMP code range start must be less than or equal to range end'
    : undefined
}

const isByte = (digits: string): boolean => /^[0-9]+$/.test(digits) && Number(digits) <= MAX_BYTE
