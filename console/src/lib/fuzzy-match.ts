/** How well a text answers a query; a smaller rank is better. */
enum MatchRank {
  Equal,
  StartsWith,
  WordStartsWith,
  Contains,
  Initials,
  Subsequence,
}

/**
 * Ranks a text against a query, ignoring case: equal, starts with, a word starts with, contains, initials of its
 * words, letters in order. A subsequence ranks worse the further its letters are spread.
 *
 * @returns the rank (smaller is better) or undefined without a match.
 */
export function fuzzyRank(text: string, query: string): number | undefined {
  const haystack = text.toLowerCase()
  const needle = query.trim().toLowerCase()
  if (needle === '' || haystack === needle) return MatchRank.Equal
  if (haystack.startsWith(needle)) return MatchRank.StartsWith
  const words = haystack.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const index = haystack.indexOf(needle)
  if (index !== -1) {
    const wordStart = new RegExp(`(^|[^\\p{L}\\p{N}])${escapePattern(needle)}`, 'u').test(haystack)
    return wordStart ? MatchRank.WordStartsWith : MatchRank.Contains
  }
  const initials = words.map((word) => word[0]).join('')
  if (initials.includes(needle)) return MatchRank.Initials
  const spread = subsequenceSpread(haystack, needle.replace(/\s+/g, ''))
  return spread === undefined ? undefined : MatchRank.Subsequence + spread / (haystack.length + 1)
}

/** Keeps the items that match a query, best first; equally good ones stay in their order. */
export function fuzzyFilter<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => string,
): T[] {
  if (query.trim() === '') return [...items]
  return items
    .map((item) => ({ item, rank: fuzzyRank(textOf(item), query) }))
    .filter((entry): entry is { item: T; rank: number } => entry.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .map((entry) => entry.item)
}

/** Number of characters between the first and the last letter of the needle, beyond the needle itself. */
function subsequenceSpread(haystack: string, needle: string): number | undefined {
  let position = -1
  let first = -1
  for (const letter of needle) {
    position = haystack.indexOf(letter, position + 1)
    if (position === -1) return undefined
    if (first === -1) first = position
  }
  return position - first + 1 - needle.length
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
