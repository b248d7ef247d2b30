import * as messages from '~/messages/validation'

/** Inclusive range of ports; a single port is both ends. */
export interface PortRange {
  first: number
  last: number
}

const MAX_PORT = 65_535

/**
 * Reads one port or two joined by a hyphen; surrounding spaces do not count.
 *
 * @returns nothing unless both are one to five digits, at most 65535, and the end is not lower than the start.
 */
export function parsePortRange(text: string): PortRange | undefined {
  const match = /^([0-9]{1,5})(?:-([0-9]{1,5}))?$/.exec(text.trim())
  if (!match?.[1]) return undefined
  const first = Number(match[1])
  const last = match[2] === undefined ? first : Number(match[2])
  return last < first || last > MAX_PORT ? undefined : { first, last }
}

/** @returns the message for a text that is no port or port range. */
export function validatePortRange(text: string): string | undefined {
  return parsePortRange(text) ? undefined : messages.portRangeError
}

/** Turns pasted en and em dashes and runs of dashes into one hyphen, as numeric ranges are written. */
export function normaliseRangeDashes(text: string): string {
  return text.replace(/[-–—]+/g, '-')
}
