/** Upper-cases the first letter and leaves the rest alone. */
export function capitalise(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

/** Position of the ellipsis in a shortened text. */
export type TruncatePosition = 'end' | 'middle'

/** Tells what readers take for one character, such as a letter with its accents. Making one takes long. */
let segmenter: Intl.Segmenter | undefined

function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/**
 * Shortens a text longer than `max` characters to `max − 2` characters (rounded down to an even number in the
 * middle) and an ellipsis. Two characters less, so that a text never loses a single character only.
 */
export function truncate(text: string, max: number, position: TruncatePosition = 'end'): string {
  if (text.length <= max) return text
  const characters = charactersOf(text)
  if (characters.length <= max) return text
  const keep = Math.max(max - 2, 0)
  if (position === 'end') return `${characters.slice(0, keep).join('')}…`
  const half = Math.floor(keep / 2)
  const tail = half === 0 ? [] : characters.slice(-half)
  return `${characters.slice(0, half).join('')}…${tail.join('')}`
}

/** Joins words as a sentence does: `a`, `a or b`, `a, b, or c`. */
export function commaList(items: readonly string[], conjunction: 'or' | 'and' = 'or'): string {
  if (items.length <= 1) return items[0] ?? ''
  if (items.length === 2) return `${items[0]} ${conjunction} ${items[1]}`
  return `${items.slice(0, -1).join(', ')}, ${conjunction} ${items.at(-1)}`
}

/** Text reduced for comparison: case and white space do not count. */
export function foldForSearch(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '')
}

/** Whether `text` contains `query`, ignoring case and spaces in both. An empty query is contained in everything. */
export function includesFolded(text: string, query: string): boolean {
  return foldForSearch(text).includes(foldForSearch(query))
}

/** `1 item`, `2 items`: a count with its noun, whose plural is the singular plus "s" unless given. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** An id shortened to its first and last five characters. */
export const shortId = (id: string): string => truncate(id, 12, 'middle')
