/* oxlint-disable no-control-regex -- control characters are what is looked for */

import { endOf } from './-serial-history'
import type { SerialPart } from './-serial-history'

// Sequences that move the cursor, change colors or set titles.
const SEQUENCE =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g
const ERASED = /[^\n\b]\u0008/g
// The last ones would have what follows read in another order than it is written.
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** What a guest printed, as a plain text: without control sequences, and without characters that it took back. */
export function plainText(bytes: Uint8Array): string {
  let text = new TextDecoder()
    .decode(bytes)
    .replace(SEQUENCE, '')
    .replace(/\r+\n/g, '\n')
    // Without a line feed what follows replaces the line. Both are kept, one below the other.
    .replace(/\r+/g, '\n')
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(ERASED, '')
  }
  return text.replace(UNPRINTABLE, '')
}

/** A whole log as text. `gapText` says what stands in the place of so many bytes that are not kept. */
export function logText(
  parts: readonly SerialPart[],
  gapText: (byteCount: number) => string,
): string {
  return parts
    .map((part, index) => {
      const before = parts[index - 1]
      const missing = part.start - (before ? endOf(before) : 0)
      return `${missing > 0 ? `\n${gapText(missing)}\n` : ''}${plainText(part.bytes)}`
    })
    .join('')
}

/** Where a text was found. */
export interface Hit {
  /** Index of the line. */
  line: number
  /** Its first character in the line, and the one after the last. */
  start: number
  end: number
}

/** Finds a text in lines, in capital letters or not. */
export function findAll(lines: readonly string[], wanted: string): Hit[] {
  if (wanted === '') return []
  const pattern = new RegExp(wanted.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'giu')
  return lines.flatMap((text, line) =>
    Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
      line,
      start: index,
      end: index + found.length,
    })),
  )
}
