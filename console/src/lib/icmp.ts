import * as messages from '~/messages/validation'

/** Names of the ICMP types that people filter by (IANA, "ICMP Type Numbers"). */
export const ICMP_TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(messages.icmpTypeLabel).map(([type, name]) => [Number(type), name]),
)

/** Types and codes are one byte each. */
const MAX_BYTE = 255

/** An ICMP type in words: its number and its name, or "Type" and the number again. */
export const icmpTypeLabel = (type: number): string =>
  `${type} - ${ICMP_TYPE_NAMES.get(type) ?? messages.otherIcmpTypeLabel(type)}`

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
  return messages.icmpTypeError
}

/** @returns the message for a text that is neither an ICMP code nor a range of codes; a blank one stands for all codes. */
export function validateIcmpCode(text: string): string | undefined {
  const code = text.trim()
  if (code === '') return undefined
  const match = /^([0-9]+)(?:-([0-9]+))?$/.exec(code)
  const [, first = '', last] = match ?? []
  if (!match) return messages.icmpCodeFormError
  if (last === undefined) return isByte(first) ? undefined : messages.icmpCodeError
  if (!isByte(first)) return messages.icmpCodeStartError
  if (!isByte(last)) return messages.icmpCodeEndError
  return Number(first) > Number(last) ? messages.icmpCodeOrderError : undefined
}

const isByte = (digits: string): boolean => /^[0-9]+$/.test(digits) && Number(digits) <= MAX_BYTE
