/** What the browser keeps about lists: as what a person left each, and what they saved under names. */
type KeptLists = 'lists' | 'views'

const keyOf = (kind: KeptLists, person: string) => `croft-${kind}-${person}`

/** What is kept for a person, as it is stored. */
export const keptText = (kind: KeptLists, person: string): string | null =>
  localStorage.getItem(keyOf(kind, person))

/** What a stored text holds, by list; nothing if it is none of this console's. */
export function parseKept(text: string | null): Partial<Record<string, object>> {
  try {
    return { ...(JSON.parse(text ?? '{}') as object) }
  } catch {
    return {}
  }
}

/**
 * Keeps what a person chose for one list.
 *
 * @param value what to keep; nothing when undefined.
 * @returns false in a browser that keeps nothing, or no more.
 */
export function keepFor(
  kind: KeptLists,
  person: string,
  list: string,
  value: object | undefined,
): boolean {
  const kept = { ...parseKept(keptText(kind, person)), [list]: value }
  try {
    localStorage.setItem(keyOf(kind, person), JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}
